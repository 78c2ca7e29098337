import { z } from "zod";
import { givenName, memberRole, projectRecord } from "./access.ts";
import { instant } from "./share.ts";

/** As people write them: kept in lower case. The provider of identities may know more of the rules than we do. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u, "is no e-mail address");

export const MIN_PASSWORD_LENGTH = 12;
const newPassword = z.string().min(MIN_PASSWORD_LENGTH).max(200);
/** One that is tried: whatever it is, it is wrong or right, and not invalid. */
const triedPassword = z.string().max(1_000);
const token = z.string().min(1).max(200);

export const person = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string().nullable(),
    isOwner: z.boolean(),
    hasPassword: z.boolean(),
    hasIdentity: z.boolean().describe("Signs in by the provider of identities."),
    createdAt: instant,
    disabledAt: instant.nullable(),
    lastSeenAt: instant.nullable(),
    projects: z.array(z.object({ slug: z.string(), role: memberRole })),
  })
  .meta({ id: "Person" });

export const peopleAnswer = z.object({ users: z.array(person) }).meta({ id: "People" });

export const newPerson = z
  .object({ name: givenName, email: email.optional(), isOwner: z.boolean().default(false) })
  .meta({ id: "NewPerson" });

export const personChange = z
  .object({
    name: givenName.optional(),
    email: email.nullable().optional(),
    isOwner: z.boolean().optional(),
    isDisabled: z.boolean().optional().describe("Ends all of their sessions, and lets none begin."),
  })
  .meta({ id: "PersonChange" });

export const ownChange = z
  .object({ name: givenName.optional(), email: email.nullable().optional() })
  .meta({ id: "OwnChange" });

export const passwordChange = z
  .object({ current: triedPassword.optional(), password: newPassword })
  .meta({ id: "PasswordChange" });

export const member = z
  .object({
    id: z.int(),
    name: z.string(),
    email: z.string().nullable(),
    role: memberRole,
    since: instant,
    isDisabled: z.boolean(),
  })
  .meta({ id: "Member" });

export const membersAnswer = z.object({ members: z.array(member) }).meta({ id: "Members" });
export const memberChange = z.object({ role: memberRole }).meta({ id: "MemberChange" });

export const invitation = z
  .object({
    id: z.int(),
    role: memberRole,
    note: z.string(),
    createdAt: instant,
    expiresAt: instant,
  })
  .meta({ id: "Invitation" });

export const invitationsAnswer = z.object({ invitations: z.array(invitation) }).meta({ id: "Invitations" });

export const newInvitation = z
  .object({
    role: memberRole,
    note: z
      .string()
      .trim()
      .max(100)
      .regex(/^\P{Cc}*$/u, "must be without control characters")
      .default("")
      .describe("For whom it is."),
    expiresInDays: z.int().min(1).max(30).default(7),
  })
  .meta({ id: "NewInvitation" });

export const createdInvitation = invitation
  .extend({ url: z.string().describe("The link: shown this once.") })
  .meta({ id: "CreatedInvitation" });

export const shownInvitation = z.object({ token }).meta({ id: "InvitationToken" });

export const openedInvitation = z
  .object({
    project: z.string().describe("Its name."),
    role: memberRole,
    expiresAt: instant,
    signedInAs: z.string().nullable().describe("Who would join, when somebody is signed in."),
  })
  .meta({ id: "OpenedInvitation" });

export const acceptance = z
  .object({
    token,
    name: givenName.optional(),
    email: email.optional(),
    password: newPassword.optional(),
  })
  .meta({ id: "Acceptance" });

export const accepted = z.object({ project: projectRecord }).meta({ id: "Accepted" });

export const credentials = z
  .object({ email: z.string().max(254), password: triedPassword })
  .meta({ id: "Credentials" });

export const signInWays = z
  .object({
    password: z.boolean().describe("Whether anybody here has one."),
    oidc: z.string().nullable().describe("Name of the provider of identities."),
  })
  .meta({ id: "SignInWays" });

export const sessionRecord = z
  .object({
    id: z.int(),
    via: z.enum(["link", "password", "oidc", "invitation"]),
    device: z.string().describe("Browser and system, as far as they are known."),
    createdAt: instant,
    expiresAt: instant,
    lastSeenAt: instant.nullable(),
    isThis: z.boolean().describe("The one that asks."),
    user: z.object({ id: z.int(), name: z.string() }),
  })
  .meta({ id: "Session" });

export const sessionsAnswer = z.object({ sessions: z.array(sessionRecord) }).meta({ id: "Sessions" });

export type Person = z.infer<typeof person>;
export type Member = z.infer<typeof member>;
export type Invitation = z.infer<typeof invitation>;
export type CreatedInvitation = z.infer<typeof createdInvitation>;
export type OpenedInvitation = z.infer<typeof openedInvitation>;
export type SessionRecord = z.infer<typeof sessionRecord>;
export type SignInWays = z.infer<typeof signInWays>;
