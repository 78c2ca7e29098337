import { eq } from "drizzle-orm";
import type { Db } from "../../db/drizzle.ts";
import { appUser } from "../../db/schema/index.ts";
import { setSessionCookie } from "../access/cookie.ts";
import type { Principal } from "../access/principal.ts";
import { openSession } from "../access/sessions.ts";
import * as contract from "../contract/people-routes.ts";
import { AppError } from "../http/app-error.ts";
import { invalidBody } from "../http/parse.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { changeUser, findUser, getPerson, noSuchUser, setPassword, type UserRow } from "../people/users.ts";
import { describeDevice } from "./device.ts";
import type { PasswordHasher } from "./password-hash.ts";
import type { SignInLimit } from "./sign-in-limit.ts";
import { describeWeakness } from "./weakness.ts";

export interface PasswordDeps {
  readonly db: Db;
  readonly passwords: PasswordHasher;
  readonly limit: SignInLimit;
}

/** Signing in by password, and what people change of their own. */
export function passwordRoutes({ db, passwords, limit }: PasswordDeps): BoundRoute[] {
  return [
    bindRoute(contract.postSignIn, async ({ body, req, res, occasion }) => {
      const mail = body.email.trim().toLowerCase();
      const place = req.ip ?? "";
      limit.begin(mail, place);
      const [user] = await db.select().from(appUser).where(eq(appUser.email, mail));
      // It takes as long for nobody as for somebody, and answers the same.
      const fits = await passwords.verify(body.password, user?.passwordHash ?? null);
      if (!fits || user === undefined || user.disabledAt !== null) throw wrongCredentials();
      limit.succeed(mail, place);
      const device = describeDevice(req.headers["user-agent"]);
      const opened = await db.transaction((tx) =>
        openSession(tx, user, { via: "password", device }, occasion),
      );
      setSessionCookie(req, res, opened);
      return undefined;
    }),
    bindRoute(contract.patchMe, async ({ principal, body, occasion }) => {
      const { userId } = assertPerson(principal);
      await changeUser(db, userId, body, occasion);
      return getPerson(db, userId);
    }),
    bindRoute(contract.putMyPassword, async ({ principal, body, req, occasion }) => {
      const { userId, sessionId } = assertPerson(principal);
      const user = await findUser(db, userId);
      if (user === null) throw noSuchUser();
      assertStrong(body.password, user.email);
      if (user.passwordHash !== null) {
        await assertCurrent(user, body.current, req.ip ?? "");
      }
      const passwordHash = await passwords.hash(body.password);
      await setPassword(db, user, { passwordHash, keptSessionId: sessionId }, occasion);
      return undefined;
    }),
  ];

  /** Whoever has found an open browser must not try passwords without end. */
  async function assertCurrent(user: UserRow, current: string | undefined, place: string): Promise<void> {
    const name = `person ${user.id}`;
    limit.begin(name, place);
    if (!(await passwords.verify(current ?? "", user.passwordHash))) {
      throw invalidBody([{ pointer: "/current", detail: "is not the password that holds now" }]);
    }
    limit.succeed(name, place);
  }
}

export function assertStrong(password: string, email: string | null): void {
  const weakness = describeWeakness(password, email);
  if (weakness !== null) throw invalidBody([{ pointer: "/password", detail: weakness }]);
}

function assertPerson(principal: Principal) {
  if (principal.via === "session") return principal;
  throw new AppError({
    status: 409,
    code: "no_person",
    title: "There is nobody whose it would be",
    detail: "The admin token is no person: sign in, or change people with PATCH /api/users/:id.",
  });
}

function wrongCredentials(): AppError {
  return new AppError({
    status: 401,
    code: "wrong_credentials",
    title: "E-mail or password is wrong",
    detail: "Or there is no such account, or it is shut. An owner can make a sign-in link.",
  });
}
