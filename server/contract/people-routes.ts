import { z } from "zod";
import * as access from "./access.ts";
import { idParam } from "./access-routes.ts";
import { forKeepers, forOwners, forPerson } from "./callers.ts";
import * as people from "./people.ts";
import * as query from "./query.ts";
import { defineRoute, type RouteContract } from "./route.ts";

export const getMembers = defineRoute({
  method: "get",
  path: "/api/members",
  summary: "Who has a part in the project, and which. Owners have one in all, and are not listed.",
  access: forKeepers,
  query: query.projectQuery,
  answer: { status: 200, description: "The members.", schema: people.membersAnswer },
});

export const putMember = defineRoute({
  method: "put",
  path: "/api/members/:id",
  summary: "Give a member another role; owners may also add a person who is none yet.",
  access: forKeepers,
  audit: ["member.set"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: people.memberChange },
  answer: { status: 200, description: "The member as it is now.", schema: people.member },
});

export const deleteMember = defineRoute({
  method: "delete",
  path: "/api/members/:id",
  summary: "Take a person's part in the project away. It holds at once.",
  access: forKeepers,
  audit: ["member.removed"],
  params: idParam,
  query: query.projectQuery,
  answer: { status: 204, description: "It is gone." },
});

export const getInvitations = defineRoute({
  method: "get",
  path: "/api/invitations",
  summary: "Invitations that can still be used.",
  access: forKeepers,
  query: query.projectQuery,
  answer: {
    status: 200,
    description: "The invitations, without their links.",
    schema: people.invitationsAnswer,
  },
});

export const postInvitations = defineRoute({
  method: "post",
  path: "/api/invitations",
  summary: "Make a link by which somebody joins the project once.",
  access: forKeepers,
  audit: ["invitation.created"],
  query: query.projectQuery,
  body: { kind: "json", schema: people.newInvitation },
  answer: { status: 201, description: "The link, shown this once.", schema: people.createdInvitation },
});

export const deleteInvitation = defineRoute({
  method: "delete",
  path: "/api/invitations/:id",
  summary: "Withdraw an invitation.",
  access: forKeepers,
  audit: ["invitation.withdrawn"],
  params: idParam,
  query: query.projectQuery,
  answer: { status: 204, description: "It is gone." },
});

export const postOpenInvitation = defineRoute({
  method: "post",
  path: "/api/invitations/open",
  summary: "What an invitation is for.",
  access: "public",
  audit: [],
  body: { kind: "json", schema: people.shownInvitation },
  answer: { status: 200, description: "Project and role.", schema: people.openedInvitation },
});

export const postAcceptInvitation = defineRoute({
  method: "post",
  path: "/api/invitations/accept",
  summary: "Join: as the person who is signed in, or as a new one with name, e-mail and password.",
  access: "public",
  audit: ["invitation.accepted"],
  body: { kind: "json", schema: people.acceptance },
  answer: { status: 200, description: "Joined, and signed in.", schema: people.accepted },
});

export const getUsers = defineRoute({
  method: "get",
  path: "/api/users",
  summary: "Everybody who has an account here.",
  access: forOwners,
  answer: { status: 200, description: "The people.", schema: people.peopleAnswer },
});

export const postUsers = defineRoute({
  method: "post",
  path: "/api/users",
  summary: "Make an account, to be entered by a link or by the provider of identities.",
  access: forOwners,
  audit: ["user.created"],
  body: { kind: "json", schema: people.newPerson },
  answer: { status: 201, description: "The person.", schema: people.person },
});

export const patchUser = defineRoute({
  method: "patch",
  path: "/api/users/:id",
  summary: "Change a person's name or e-mail, make them an owner, or shut them out. One owner always stays.",
  access: forOwners,
  audit: ["user.changed"],
  params: idParam,
  body: { kind: "json", schema: people.personChange },
  answer: { status: 200, description: "The person as they are now.", schema: people.person },
});

export const deleteUser = defineRoute({
  method: "delete",
  path: "/api/users/:id",
  summary: "Remove an account. The audit log keeps the name.",
  access: forOwners,
  audit: ["user.removed"],
  params: idParam,
  answer: { status: 204, description: "It is gone." },
});

export const postUserLinks = defineRoute({
  method: "post",
  path: "/api/users/:id/sign-in-links",
  summary: "Make a link that signs this person in once.",
  access: forOwners,
  audit: ["link.created"],
  params: idParam,
  answer: { status: 201, description: "The link, shown this once.", schema: access.signInLinkAnswer },
});

export const getSessions = defineRoute({
  method: "get",
  path: "/api/sessions",
  summary: "All sessions that are open.",
  access: forOwners,
  answer: { status: 200, description: "The sessions, latest seen first.", schema: people.sessionsAnswer },
});

export const deleteSession = defineRoute({
  method: "delete",
  path: "/api/sessions/:id",
  summary: "End a session, whoever's it is.",
  access: forOwners,
  audit: ["session.ended"],
  params: idParam,
  answer: { status: 204, description: "It is over." },
});

export const getMySessions = defineRoute({
  method: "get",
  path: "/api/me/sessions",
  summary: "One's own sessions that are open.",
  access: forPerson,
  answer: { status: 200, description: "The sessions, latest seen first.", schema: people.sessionsAnswer },
});

export const deleteMySession = defineRoute({
  method: "delete",
  path: "/api/me/sessions/:id",
  summary: "End a session of one's own.",
  access: forPerson,
  audit: ["session.ended"],
  params: idParam,
  answer: { status: 204, description: "It is over." },
});

export const patchMe = defineRoute({
  method: "patch",
  path: "/api/me",
  summary: "Change one's own name or e-mail.",
  access: forPerson,
  audit: ["user.changed"],
  body: { kind: "json", schema: people.ownChange },
  answer: { status: 200, description: "As it is now.", schema: people.person },
});

export const putMyPassword = defineRoute({
  method: "put",
  path: "/api/me/password",
  summary: "Set one's password, by the current one where there is one. Ends one's other sessions.",
  access: forPerson,
  audit: ["user.password"],
  body: { kind: "json", schema: people.passwordChange },
  answer: { status: 204, description: "It holds from now on." },
});

export const postSignInLinks = defineRoute({
  method: "post",
  path: "/api/sign-in-links",
  summary: "Make a link that signs the first owner in once.",
  access: forOwners,
  audit: ["link.created"],
  answer: { status: 201, description: "The link, shown this once.", schema: access.signInLinkAnswer },
});

export const getSignIn = defineRoute({
  method: "get",
  path: "/sign-in",
  summary: "Use a one-time link: sets the session cookie and leads to the dashboard.",
  access: "public",
  audit: ["session.opened"],
  query: z.object({ token: z.string().max(200).optional() }),
  answer: { status: 302, description: "Signed in." },
});

export const getSignInWays = defineRoute({
  method: "get",
  path: "/api/sign-in-ways",
  summary: "How one may sign in here.",
  access: "public",
  answer: { status: 200, description: "The ways.", schema: people.signInWays },
});

export const postSignIn = defineRoute({
  method: "post",
  path: "/api/sign-in",
  summary: "Sign in by e-mail and password: sets the session cookie.",
  access: "public",
  audit: ["session.opened"],
  body: { kind: "json", schema: people.credentials },
  answer: { status: 204, description: "Signed in." },
});

export const getSignInOidc = defineRoute({
  method: "get",
  path: "/sign-in/oidc",
  summary: "Leads to the provider of identities.",
  access: "public",
  query: z.object({
    invitation: z.string().max(200).optional().describe("Token of an invitation that is to be accepted."),
  }),
  answer: { status: 302, description: "On the way." },
});

export const getSignInOidcReturn = defineRoute({
  method: "get",
  path: "/sign-in/oidc/return",
  summary: "Where the provider of identities leads back to: sets the session cookie.",
  access: "public",
  audit: ["session.opened"],
  answer: { status: 302, description: "Signed in." },
});

export const postSignOut = defineRoute({
  method: "post",
  path: "/api/sign-out",
  summary: "End the session.",
  access: forPerson,
  audit: ["session.ended"],
  answer: { status: 204, description: "Signed out." },
});

export const PEOPLE_ROUTES: readonly RouteContract[] = [
  getMembers,
  putMember,
  deleteMember,
  getInvitations,
  postInvitations,
  deleteInvitation,
  postOpenInvitation,
  postAcceptInvitation,
  getUsers,
  postUsers,
  patchUser,
  deleteUser,
  postUserLinks,
  getSessions,
  deleteSession,
  getMySessions,
  deleteMySession,
  patchMe,
  putMyPassword,
  postSignInLinks,
  getSignIn,
  getSignInWays,
  postSignIn,
  getSignInOidc,
  getSignInOidcReturn,
  postSignOut,
];
