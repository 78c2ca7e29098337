import { Argument, Command, InvalidArgumentError } from "commander";
import { signInLinkAnswer } from "../contract/access.ts";
import {
  createdInvitation,
  invitationsAnswer,
  member,
  membersAnswer,
  type Person,
  peopleAnswer,
  person,
  sessionsAnswer,
} from "../contract/people.ts";
import { MEMBER_ROLES } from "../contract/route.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

/** A number of days, or the one that stands first in a row of `… list`. */
export function parseId(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is a whole number; those of rows stand first in each list.");
}

const roleArgument = () => new Argument("<role>", "what they may do").choices(MEMBER_ROLES);

export function usersCommand(terminal: Terminal): Command {
  const users = new Command("users").description("People who have an account here.");
  const print = ({ id, name, email, isOwner, disabledAt, projects, lastSeenAt }: Person) => {
    const roles = [
      ...(isOwner ? ["owner"] : []),
      ...projects.map(({ slug, role }) => `${role} of ${slug}`),
    ].join(", ");
    const state = disabledAt === null ? `last seen ${lastSeenAt ?? "never"}` : `shut out ${disabledAt}`;
    terminal.stdout.write(`${id}\t${name}\t${email ?? "–"}\t${roles || "no project"}\t${state}\n`);
  };
  withServerFlags(users.command("list"))
    .description("List everybody.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        for (const one of peopleAnswer.parse(await api.call("GET", "/api/users")).users) print(one);
      });
    });
  withServerFlags(users.command("create"))
    .description("Make an account. It is entered by a link, or by OpenID Connect with this e-mail.")
    .argument("<name>")
    .option("--email <email>", "their e-mail")
    .option("--owner", "owner of the installation: may do everything")
    .action(async (name: string, { email, owner, ...flags }: ServerFlags & NewUserFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        const body = { name, isOwner: owner ?? false, ...(email === undefined ? {} : { email }) };
        print(person.parse(await api.call("POST", "/api/users", body)));
      });
    });
  withServerFlags(users.command("change"))
    .description("Change an account; shut somebody out, or let them in again.")
    .argument("<id>", "number in `busyhour users list`", parseId)
    .option("--name <name>", "another name")
    .option("--email <email>", "another e-mail")
    .option("--owner", "make them an owner")
    .option("--no-owner", "make them no owner any more")
    .option("--disable", "shut them out and end their sessions")
    .option("--enable", "let them in again")
    .action(async (id: number, { name, email, owner, disable, enable, ...flags }: UserChangeFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        const isDisabled = disable === true ? true : enable === true ? false : undefined;
        const body = { name, email, isOwner: owner, isDisabled };
        print(person.parse(await api.call("PATCH", `/api/users/${id}`, body)));
      });
    });
  withServerFlags(users.command("remove"))
    .description("Remove an account. The audit log keeps the name.")
    .argument("<id>", "number in `busyhour users list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, ({ api }) => api.call("DELETE", `/api/users/${id}`));
      terminal.say(`Account ${id} is gone.`);
    });
  withServerFlags(users.command("link"))
    .description("Print a link that signs this person in once, within an hour.")
    .argument("<id>", "number in `busyhour users list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        const made = signInLinkAnswer.parse(await api.call("POST", `/api/users/${id}/sign-in-links`));
        terminal.stdout.write(`${made.url}\n`);
      });
    });
  return users;
}

interface NewUserFlags {
  readonly email?: string;
  readonly owner?: boolean;
}

interface UserChangeFlags extends ServerFlags, NewUserFlags {
  readonly name?: string;
  readonly disable?: boolean;
  readonly enable?: boolean;
}

export function membersCommand(terminal: Terminal): Command {
  const members = new Command("members").description("Who has a part in a project.");
  withServerFlags(members.command("list"))
    .description("List the members of a project.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const { members: rows } = membersAnswer.parse(await api.call("GET", `/api/members${query}`));
        if (rows.length === 0) terminal.say("No members: owners alone see this project.");
        for (const { id, name, email, role, since } of rows) {
          terminal.stdout.write(`${id}\t${role}\t${name}\t${email ?? "–"}\tsince ${since}\n`);
        }
      });
    });
  withServerFlags(members.command("set"))
    .description("Give a person a role in a project.")
    .argument("<id>", "number in `busyhour users list`", parseId)
    .addArgument(roleArgument())
    .action(async (id: number, role: string, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const row = member.parse(await api.call("PUT", `/api/members/${id}${query}`, { role }));
        terminal.say(`${row.name} is ${row.role}.`);
      });
    });
  withServerFlags(members.command("remove"))
    .description("Take a person's part in a project away.")
    .argument("<id>", "number in `busyhour members list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, ({ api }, query) =>
        api.call("DELETE", `/api/members/${id}${query}`),
      );
      terminal.say(`Person ${id} has no part in it any more.`);
    });
  return members;
}

export function invitationsCommand(terminal: Terminal): Command {
  const invitations = new Command("invitations").description("Links by which people join a project.");
  withServerFlags(invitations.command("create"))
    .description("Make a link and print it: the only time it is shown.")
    .addArgument(roleArgument())
    .option("--note <text>", "for whom it is")
    .option("--days <number>", "how long it works, 1–30", parseId)
    .action(
      async (role: string, { note, days, ...flags }: ServerFlags & { note?: string; days?: number }) => {
        await withWorkPlace(terminal, flags, async ({ api }, query) => {
          const body = { role, note, expiresInDays: days };
          const made = createdInvitation.parse(await api.call("POST", `/api/invitations${query}`, body));
          terminal.say(`Invitation ${made.id} (${made.role}) works once, until ${made.expiresAt}:`);
          terminal.stdout.write(`${made.url}\n`);
        });
      },
    );
  withServerFlags(invitations.command("list"))
    .description("List the invitations that can still be used.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const answer = invitationsAnswer.parse(await api.call("GET", `/api/invitations${query}`));
        if (answer.invitations.length === 0) terminal.say("No open invitations.");
        for (const { id, role, note, expiresAt } of answer.invitations) {
          terminal.stdout.write(`${id}\t${role}\t${note || "–"}\tuntil ${expiresAt}\n`);
        }
      });
    });
  withServerFlags(invitations.command("withdraw"))
    .description("Withdraw an invitation: its link stops working at once.")
    .argument("<id>", "number in `busyhour invitations list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, ({ api }, query) =>
        api.call("DELETE", `/api/invitations/${id}${query}`),
      );
      terminal.say(`Invitation ${id} is withdrawn.`);
    });
  return invitations;
}

export function sessionsCommand(terminal: Terminal): Command {
  const sessions = new Command("sessions").description("Who is signed in.");
  withServerFlags(sessions.command("list"))
    .description("List all open sessions.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        const answer = sessionsAnswer.parse(await api.call("GET", "/api/sessions"));
        if (answer.sessions.length === 0) terminal.say("Nobody is signed in.");
        for (const { id, user, via, device, lastSeenAt } of answer.sessions) {
          const seen = `last seen ${lastSeenAt ?? "never"}`;
          terminal.stdout.write(`${id}\t${user.name}\tby ${via}\t${device || "–"}\t${seen}\n`);
        }
      });
    });
  withServerFlags(sessions.command("end"))
    .description("End a session: it stops working at once.")
    .argument("<id>", "number in `busyhour sessions list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, ({ api }) => api.call("DELETE", `/api/sessions/${id}`));
      terminal.say(`Session ${id} is over.`);
    });
  return sessions;
}
