import type { Db } from "../../db/drizzle.ts";
import { createSignInToken, endSession, listSessions } from "../access/sessions.ts";
import * as contract from "../contract/people-routes.ts";
import { AppError } from "../http/app-error.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { createInvitation, listInvitations, withdrawInvitation } from "./invitations.ts";
import { listMembers, removeMember, setMember } from "./members.ts";
import { changeUser, getPerson, insertUser, listPeople, noSuchUser, removeUser } from "./users.ts";

const DAY_MS = 86_400_000;

export interface PeopleDeps {
  readonly db: Db;
  /** Where people reach the server, without a slash at the end. */
  readonly publicUrl: () => string;
}

export function peopleRoutes(deps: PeopleDeps): BoundRoute[] {
  return [...memberRoutes(deps), ...invitationRoutes(deps), ...userRoutes(deps), ...sessionRoutes(deps)];
}

function memberRoutes({ db }: PeopleDeps): BoundRoute[] {
  return [
    bindRoute(contract.getMembers, async ({ project }) => ({ members: await listMembers(db, project.id) })),
    bindRoute(contract.putMember, async ({ principal, project, role, params, body, occasion }) =>
      setMember(
        db,
        project,
        { userId: params.id, role: body.role, mayAdd: principal.via === "token" || role === "owner" },
        occasion,
      ),
    ),
    bindRoute(contract.deleteMember, async ({ project, params, occasion }) => {
      await removeMember(db, project, params.id, occasion);
      return undefined;
    }),
  ];
}

function invitationRoutes({ db, publicUrl }: PeopleDeps): BoundRoute[] {
  return [
    bindRoute(contract.getInvitations, async ({ project, nowMs }) => ({
      invitations: await listInvitations(db, project.id, new Date(nowMs)),
    })),
    bindRoute(contract.postInvitations, async ({ project, body, nowMs, occasion }) => {
      const { expiresInDays, ...given } = body;
      const expiresAt = new Date(nowMs + expiresInDays * DAY_MS);
      const { token, ...made } = await createInvitation(db, project, { ...given, expiresAt }, occasion);
      // Behind the # it is sent to no server, and stands in no log.
      return { ...made, url: `${publicUrl()}/invitation#${token}` };
    }),
    bindRoute(contract.deleteInvitation, async ({ project, params, occasion }) => {
      await withdrawInvitation(db, project, params.id, occasion);
      return undefined;
    }),
  ];
}

function userRoutes({ db, publicUrl }: PeopleDeps): BoundRoute[] {
  const toLink = ({ token, expiresAt }: { token: string; expiresAt: Date }) => ({
    url: `${publicUrl()}/sign-in?token=${token}`,
    expiresAt: expiresAt.toISOString(),
  });
  return [
    bindRoute(contract.getUsers, async () => ({ users: await listPeople(db) })),
    bindRoute(contract.postUsers, async ({ body, occasion }) => {
      const { name, email, isOwner } = body;
      const made = await db.transaction((tx) =>
        insertUser(tx, { name, isOwner, email: email ?? null }, occasion),
      );
      return getPerson(db, made.id);
    }),
    bindRoute(contract.patchUser, async ({ params, body, occasion }) => {
      await changeUser(db, params.id, body, occasion);
      return getPerson(db, params.id);
    }),
    bindRoute(contract.deleteUser, async ({ params, occasion }) => {
      await removeUser(db, params.id, occasion);
      return undefined;
    }),
    bindRoute(contract.postUserLinks, async ({ params, occasion }) => {
      const made = await createSignInToken(db, occasion, params.id);
      if (made === null) throw noSuchUser();
      return toLink(made);
    }),
    bindRoute(contract.postSignInLinks, async ({ occasion }) => {
      const made = await createSignInToken(db, occasion);
      if (made === null) throw new Error("the installation has no owner");
      return toLink(made);
    }),
  ];
}

function sessionRoutes({ db }: PeopleDeps): BoundRoute[] {
  return [
    bindRoute(contract.getSessions, async ({ principal, nowMs }) => ({
      sessions: await listSessions(db, {
        userId: null,
        ownId: principal.via === "session" ? principal.sessionId : null,
        now: new Date(nowMs),
      }),
    })),
    bindRoute(contract.deleteSession, async ({ params, occasion }) => {
      if (!(await endSession(db, { id: params.id, userId: null }, occasion))) throw noSuchSession();
      return undefined;
    }),
    bindRoute(contract.getMySessions, async ({ principal, nowMs }) => ({
      sessions:
        principal.via === "session"
          ? await listSessions(db, {
              userId: principal.userId,
              ownId: principal.sessionId,
              now: new Date(nowMs),
            })
          : [],
    })),
    bindRoute(contract.deleteMySession, async ({ principal, params, occasion }) => {
      const userId = principal.via === "session" ? principal.userId : -1;
      if (!(await endSession(db, { id: params.id, userId }, occasion))) throw noSuchSession();
      return undefined;
    }),
  ];
}

function noSuchSession(): AppError {
  return new AppError({ status: 404, code: "no_such_session", title: "There is no such session" });
}
