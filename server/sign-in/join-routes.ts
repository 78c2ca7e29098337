import type { Db } from "../../db/drizzle.ts";
import type { Authenticator } from "../access/authenticate.ts";
import { setSessionCookie } from "../access/cookie.ts";
import { openSession } from "../access/sessions.ts";
import { SERVER, toPerson } from "../audit/note-change.ts";
import * as contract from "../contract/people-routes.ts";
import type { FieldFault } from "../http/app-error.ts";
import { invalidBody } from "../http/parse.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { getInvitation, noSuchInvitation } from "../people/invitations.ts";
import { joinProject } from "../people/join.ts";
import { findUser, insertUser } from "../people/users.ts";
import { toProjectRecord } from "../projects/projects.ts";
import { describeDevice } from "./device.ts";
import type { PasswordHasher } from "./password-hash.ts";
import { assertStrong } from "./password-routes.ts";

export interface JoinDeps {
  readonly db: Db;
  readonly passwords: PasswordHasher;
  readonly identify: Authenticator["identify"];
}

interface NewMember {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}
type Given = { readonly [field in keyof NewMember]?: string | undefined };

/** Coming in by an invitation. */
export function joinRoutes({ db, passwords, identify }: JoinDeps): BoundRoute[] {
  return [
    bindRoute(contract.postOpenInvitation, async ({ body, req, nowMs }) => {
      const { invitation, project } = await getInvitation(db, body.token, new Date(nowMs));
      const principal = await identify(req);
      return {
        project: project.name,
        role: invitation.role,
        expiresAt: invitation.expiresAt.toISOString(),
        signedInAs: principal?.via === "session" ? principal.userName : null,
      };
    }),
    bindRoute(contract.postAcceptInvitation, async ({ body, req, res, nowMs, occasion }) => {
      const found = await getInvitation(db, body.token, new Date(nowMs));
      const principal = await identify(req);
      if (principal?.via === "session") {
        await db.transaction(async (tx) => {
          const user = await findUser(tx, principal.userId);
          if (user === null) throw noSuchInvitation();
          await joinProject(tx, found, user, { ...occasion, actor: toPerson(user) });
        });
        return { project: toProjectRecord(found.project) };
      }
      const { name, email, password } = readNewMember(body);
      assertStrong(password, email);
      const passwordHash = await passwords.hash(password);
      const device = describeDevice(req.headers["user-agent"]);
      const opened = await db.transaction(async (tx) => {
        const user = await insertUser(tx, { name, email, passwordHash }, { ...occasion, actor: SERVER });
        await joinProject(tx, found, user, { ...occasion, actor: toPerson(user) });
        return openSession(tx, user, { via: "invitation", device }, occasion);
      });
      setSessionCookie(req, res, opened);
      return { project: toProjectRecord(found.project) };
    }),
  ];
}

/** @throws AppError 422: somebody new needs all of it */
function readNewMember(body: Given): NewMember {
  const { name, email, password } = body;
  if (name !== undefined && email !== undefined && password !== undefined) return { name, email, password };
  const faults = (["name", "email", "password"] as const).flatMap((field): FieldFault[] =>
    body[field] === undefined ? [{ pointer: `/${field}`, detail: "is missing" }] : [],
  );
  throw invalidBody(faults);
}
