import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";

/**
 * scrypt with 32 MiB and three lanes, one of the settings of equal strength that OWASP's password storage cheat sheet
 * names. Stored hashes carry their own, so that these may be raised.
 */
const COST = { ln: 15, r: 8, p: 3 };
const HASH_BYTES = 32;
/** More at once would take the machine's memory and the threads that files and names are read on. */
const AT_ONCE = 2;

/** Hashes passwords and compares them with hashes, a few at a time. */
export interface PasswordHasher {
  /** `$scrypt$ln=…,r=…,p=…$salt$hash`, the parts in base64 without padding. */
  hash(password: string): Promise<string>;
  /** Whether the password is the stored one. With nothing stored it takes as long, and says no. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

export function createPasswordHasher(cost = COST): PasswordHasher {
  const take = createTurns(AT_ONCE);
  // What is compared with when there is nobody: it costs the same, and no password fits.
  const nobody = formatHash(cost, randomBytes(16), randomBytes(HASH_BYTES));
  return {
    hash: (password) =>
      take(async () => {
        const salt = randomBytes(16);
        return formatHash(cost, salt, await derive(password, salt, cost, HASH_BYTES));
      }),
    verify: (password, stored) =>
      take(async () => {
        const { salt, hash, ...parameters } = parseHash(stored ?? nobody) ?? parseHash(nobody) ?? never();
        const given = await derive(password, salt, parameters, hash.length);
        return timingSafeEqual(given, hash) && stored !== null;
      }),
  };
}

type Cost = typeof COST;

function derive(password: string, salt: Buffer, { ln, r, p }: Cost, length: number): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 256 };
  return new Promise((resolve, reject) => {
    // The same letters typed on another system may be other code points.
    scrypt(password.normalize("NFKC"), salt, length, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

const toText = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");

function formatHash({ ln, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toText(salt)}$${toText(hash)}`;
}

function parseHash(stored: string): (Cost & { salt: Buffer; hash: Buffer }) | null {
  const parts = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]{20,})$/.exec(stored);
  if (parts === null) return null;
  const [ln = 0, r = 0, p = 0] = parts.slice(1, 4).map(Number);
  return {
    ln,
    r,
    p,
    salt: Buffer.from(parts[4] ?? "", "base64"),
    hash: Buffer.from(parts[5] ?? "", "base64"),
  };
}

function never(): never {
  throw new Error("a hash that was made here cannot be read");
}

/** Lets so many pieces of work run at once; the others wait in the order in which they came. */
function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
