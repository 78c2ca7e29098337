import { SUBJECT_PARTS, type Subject } from "./subject.ts";

/** A subject or matcher in a line, like `provider=acme model=large`; `everything` for one without parts. */
export function describeSubject(subject: Subject): string {
  const parts = SUBJECT_PARTS.flatMap((part) => {
    const value = subject[part];
    if (value === undefined || value === "") return [];
    return [`${part}=${/[\s"]/.test(value) ? JSON.stringify(value) : value}`];
  });
  return parts.length === 0 ? "everything" : parts.join(" ");
}
