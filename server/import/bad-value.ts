/** Says why a value cannot be taken, without repeating it: rows may hold prompts. Good values are primitives. */
export class BadValue {
  readonly detail: string;

  constructor(detail: string) {
    this.detail = detail;
  }
}
