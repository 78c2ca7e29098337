import { timestamp } from "drizzle-orm/pg-core";

/** An instant, to the microsecond. */
export const moment = (name: string) => timestamp(name, { withTimezone: true });

/** Who did something, by the name that they had then. */
export interface Actor {
  readonly kind: "person" | "key" | "token" | "server";
  readonly id: number | null;
  readonly name: string;
}
