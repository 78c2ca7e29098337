import { Command, InvalidArgumentError } from "commander";
import { describeSubject } from "../alerts/describe-subject.ts";
import { type Alert, alertAnswer, alertsAnswer, silence } from "../contract/alert.ts";
import { parseId } from "./people.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

interface ListFlags extends ServerFlags {
  readonly all?: true;
  readonly json?: true;
}

interface SilenceFlags extends ServerFlags {
  readonly provider?: string;
  readonly model?: string;
  readonly endpoint?: string;
  readonly source?: string;
  readonly chain?: string;
  readonly rule?: number;
  readonly for: number;
  readonly reason: string;
}

/** `busyhour alerts`: what is firing, and what whoever is on call does about it. */
export function alertsCommand(terminal: Terminal): Command {
  const alerts = new Command("alerts").description("List, acknowledge and silence alerts.");
  addList(alerts, terminal);
  addAck(alerts, terminal);
  addSilence(alerts, terminal);
  addUnsilence(alerts, terminal);
  return alerts;
}

function addList(alerts: Command, terminal: Terminal): void {
  withServerFlags(alerts.command("list"))
    .description("List the alerts that are firing.")
    .option("--all", "also those that are over, newest first, 100 at the most")
    .option("--json", "one JSON document a line")
    .action(async ({ all, json, ...flags }: ListFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const params = new URLSearchParams(query);
        if (all === true) params.set("state", "all");
        const answer = alertsAnswer.parse(await api.call("GET", `/api/alerts?${params}`));
        if (answer.alerts.length === 0) terminal.say(all ? "There were no alerts." : "Nothing is firing.");
        for (const alert of answer.alerts) {
          terminal.stdout.write(`${json === true ? JSON.stringify(alert) : formatAlert(alert)}\n`);
        }
      });
    });
}

function addAck(alerts: Command, terminal: Terminal): void {
  withServerFlags(alerts.command("ack"))
    .description("Say that somebody is at an alert: reminders stop, and channels are told.")
    .argument("<id>", "its number, as the list has it", parseId)
    .option("--note <text>", "a word for the others")
    .action(async (id: number, { note, ...flags }: ServerFlags & { note?: string }) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const path = `/api/alerts/${id}/acknowledgement${query}`;
        const { alert } = alertAnswer.parse(await api.call("POST", path, note === undefined ? {} : { note }));
        terminal.say(`Acknowledged: ${formatAlert(alert)}`);
      });
    });
}

function addSilence(alerts: Command, terminal: Terminal): void {
  withServerFlags(alerts.command("silence"))
    .description("Tell no channel of matching alerts for a while; what still fires then is told then.")
    .option("--provider <name>", "only of this provider")
    .option("--model <name>", "only of this model")
    .option("--endpoint <name>", "only at this host or region")
    .option("--source <name>", "only of what this app or service sends")
    .option("--chain <name>", "only of this chain")
    .option("--rule <number>", "only of this rule, as GET /api/rules numbers them", parseId)
    .requiredOption("--for <duration>", "how long, like 30m, 4h or 2d; at most 90d", parseDuration)
    .requiredOption("--reason <text>", "why, for the others")
    .action(async ({ rule, reason, for: forMs, ...flags }: SilenceFlags) => {
      const { provider, model, endpoint, source, chain } = flags;
      const where = { provider, model, endpoint, source, chain };
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const until = new Date(Date.now() + forMs).toISOString();
        const body = { where, until, reason, rule: rule ?? null };
        const made = silence.parse(await api.call("POST", `/api/silences${query}`, body));
        const what = `${describeSubject(made.where)}, until ${made.until}`;
        terminal.say(`Silence ${made.id}: ${what}. To end it: busyhour alerts unsilence ${made.id}`);
      });
    });
}

function addUnsilence(alerts: Command, terminal: Terminal): void {
  withServerFlags(alerts.command("unsilence"))
    .description("End a silence now.")
    .argument("<id>", "its number", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, ({ api }, query) =>
        api.call("DELETE", `/api/silences/${id}${query}`),
      );
      terminal.say(`Silence ${id} is over.`);
    });
}

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** @returns milliseconds of `30m`, `4h` or `2d` */
export function parseDuration(text: string): number {
  const [, count = "", unit = ""] = /^(\d{1,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms > 0) return ms;
  throw new InvalidArgumentError("It must be like 30m, 4h or 2d.");
}

/** An alert in a line: number, severity, state, what, how bad, since when, by which rule. */
export function formatAlert(alert: Alert): string {
  const { id, severity, state, subject, rule, since, endedAt, acknowledged, muted } = alert;
  const notes = [
    acknowledged === null ? [] : [`acknowledged by ${acknowledged.by.name}`],
    muted === null ? [] : [`muted until ${muted.until}`],
    alert.folded.length === 0 ? [] : [`with ${alert.folded.length} more`],
  ].flat();
  return [
    String(id),
    severity,
    state,
    describeSubject(subject),
    formatFigures(alert),
    endedAt === null ? `since ${since}` : `${since} – ${endedAt}`,
    [rule.name, ...notes].join("; "),
  ].join("\t");
}

function formatFigures({ of, k, n, value, usual }: Alert): string {
  if (of === "events") return value === null ? "silent" : `silent for ${Math.round(value)} min`;
  if (of === "amplification") return value === null ? "–" : `${value.toFixed(2)} attempts per request`;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const beside = usual === null ? "" : `, usually ${percent(usual)}`;
  return `${k} of ${n}${value === null ? "" : ` (${percent(value)}${beside})`}`;
}
