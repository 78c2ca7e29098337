/** Why a password is too easily guessed, in words that follow its name; `null` when nothing is known against it. */
export function describeWeakness(password: string, email: string | null): string | null {
  const plain = password.toLowerCase();
  if (new Set(plain).size < 5) return "is of too few different characters";
  if (email !== null && [email, email.split("@")[0]].includes(plain)) return "is the e-mail address";
  if (/^(?:0?1234567890?)+\d*$|^(?:password|qwerty|letmein)+\d*$/.test(plain)) {
    return "is among the first that are tried";
  }
  return null;
}
