import fs from "node:fs";
import path from "node:path";
import { findReason, OUTCOME_TRAITS, OUTCOMES } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import { listRules } from "../../sdk/src/classify/rule-book.ts";
import { STRONG_TABLES, WEAK_TABLES } from "../../sdk/src/classify/rules/index.ts";
import { attemptEvent, MAX_BODY_BYTES, MAX_EVENTS_PER_REQUEST } from "../../server/contract/attempt-event.ts";
import { AUDIT_ACTIONS } from "../../server/contract/audit.ts";
import { KIND_SCOPES, ROLES, SCOPES } from "../../server/contract/route.ts";
import { ROUTES } from "../../server/contract/routes.ts";
import { readSettings, SETTING_NAMES } from "../../server/env.ts";
import { FIELDS } from "../../server/import/fields.ts";
import { matchColumn } from "../../server/import/match-column.ts";

const root = path.join(import.meta.dirname, "..", "..");
const read = (file: string) => fs.readFileSync(path.join(root, file), "utf8");
/** A page without what the formatter pads its tables with. */
const readPage = (file: string) => read(file).replace(/^\|.*$/gm, (row) => row.replace(/ {2,}/g, " "));

function listFiles(folder: string, end: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(end) && !file.includes("node_modules"))
    .map((file) => path.join(folder, file));
}

const PAGES = ["README.md", "CHANGELOG.md", ...listFiles("docs", ".md")];

/** First groups of all matches. */
function findAll(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

/** Cells of the table rows of a page whose first cell begins with code, by that code. */
function tableRows(page: string): Map<string, string[]> {
  const rows = readPage(page)
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.slice(2, -2).split(/ *\| +/));
  return new Map(rows.map((cells) => [/^`([^`]+)`/.exec(cells[0] ?? "")?.[1] ?? "", cells]));
}

const sourcesOf = (folder: string) =>
  [...listFiles(folder, ".ts"), ...listFiles(folder, ".tsx")]
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .map(read)
    .join("\n");

describe("classification.md", () => {
  const rules = [...listRules(STRONG_TABLES), ...listRules(WEAK_TABLES)];

  it("has every rule in the order in which it is asked, with its reason, and no other", () => {
    const [, table = ""] = readPage("docs/classification.md").split("<!-- rules -->");
    const rows = [...table.matchAll(/^\| `([^`]+)` \| ?(.*?) ?\| (.*) \|$/gm)];
    const words = { true: "yes", false: "no", wait: "after a stated wait", undefined: "" };
    expect(rows.map(([, id, again, why]) => [id, again, why])).toEqual(
      rules.map(({ id, retryable }) => [id, words[`${retryable}`], findReason(id)]),
    );
  });

  it("has every outcome with its severity and whether the call may be repeated", () => {
    const rows = tableRows("docs/classification.md");
    for (const outcome of OUTCOMES) {
      const { severity, isRetryable } = OUTCOME_TRAITS[outcome];
      const again = severity === "none" ? "–" : isRetryable ? "yes" : "no";
      expect([
        outcome,
        ...(rows
          .get(outcome)
          ?.slice(2)
          .map((cell) => cell.trim()) ?? []),
      ]).toEqual([outcome, severity, again]);
    }
  });
});

describe("configuration.md", () => {
  const page = readPage("docs/configuration.md");
  const cli = sourcesOf("server/cli");

  it("has every setting, and no other", () => {
    const cells = findAll(page, /^\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \|/gm);
    const documented = cells.flatMap((cell) => findAll(cell, /`([A-Z_]+)`/g));
    expect(documented.sort()).toEqual([...SETTING_NAMES].sort());
  });

  it("gives the defaults that an empty environment has", () => {
    const { port, host, roles, rawRetentionDays, logLevel } = readSettings({});
    const rows = tableRows("docs/configuration.md");
    const documented = [
      "PORT",
      "HOST",
      "BUSYHOUR_ROLES",
      "BUSYHOUR_RAW_RETENTION_DAYS",
      "BUSYHOUR_LOG_LEVEL",
    ];
    expect(documented.map((name) => rows.get(name)?.[1])).toEqual(
      [port, host, roles.join(","), rawRetentionDays, logLevel].map((value) => `\`${value}\``),
    );
  });

  it("has every command", () => {
    const commands = findAll(cli, /new Command\("([\w-]+)"\)/g).filter((name) => name !== "busyhour");
    expect(commands.length).toBeGreaterThan(5);
    for (const name of commands) expect(page).toContain(`### ${name}\n`);
    for (const name of findAll(cli, /\.command\("([\w-]+)"\)/g)) {
      expect(page).toMatch(new RegExp(`^\\| \`[a-z]+ ${name}\\b`, "m"));
    }
  });

  it("has every flag as the command line has it, and no other", () => {
    const flags = new Set(findAll(cli, /(?:\.(?:option|requiredOption)\(|new Option\()\s*"(--[^"]+)"/g));
    expect(flags.size).toBeGreaterThan(10);
    for (const flag of flags) expect(page).toContain(`\`${flag}\``);
    const documented = new Set(findAll(page, /`(--[a-z-]+)/g));
    for (const name of ["--help", "--version"]) documented.delete(name);
    expect([...documented].sort()).toEqual([...flags].map((flag) => flag.split(" ")[0]).sort());
  });

  it("has every script of npm", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const missing = Object.keys(scripts).filter((name) => !new RegExp(`npm (?:run )?${name}\\b`).test(page));
    expect(missing).toEqual([]);
  });
});

describe("api.md", () => {
  const rows = findAll(readPage("docs/api.md"), /^(\| `(?:GET|POST|PUT|PATCH|DELETE) .*) \|$/gm).map((line) =>
    line.slice(2).split(/ *\| +/),
  );

  it("has every route with who may call it, and no other", () => {
    const documented = rows.map(([route, keys, role]) => ({ route, keys, role: role ?? "" }));
    const declared = ROUTES.map(({ method, path: where, access }) => ({
      route: `\`${method.toUpperCase()} ${where}\``,
      keys: access === "public" ? "public" : describeKeys(access.keys),
      role: access === "public" ? "" : access.of === "person" ? "anybody" : (access.role ?? "none"),
    }));
    expect(documented).toEqual(declared);
  });

  const describeKeys = (keys: readonly string[]) =>
    keys.length === 3 ? "any" : keys.length === 0 ? "none" : keys.join(", ");

  it("has every parameter of a query", () => {
    const parameters = new Set(ROUTES.flatMap(({ query }) => Object.keys(query?.shape ?? {})));
    parameters.delete("token");
    for (const name of parameters) expect(readPage("docs/api.md")).toContain(`\`${name}\``);
  });
});

describe("team.md", () => {
  const page = readPage("docs/team.md");

  it("has every kind of key with its scopes", () => {
    const rows = tableRows("docs/team.md");
    for (const [kind, scopes] of Object.entries(KIND_SCOPES)) {
      expect(rows.get(kind)?.[1]).toBe(scopes.map((scope) => `\`${scope}\``).join(", "));
    }
    for (const scope of SCOPES) expect(page).toContain(`\`${scope}\`: `);
    for (const role of ROLES) expect(rows.get(role)).toBeDefined();
  });

  it("has every action of the audit log, and no other", () => {
    const table = page.slice(page.indexOf("| Action |"));
    expect(findAll(table, /`(\w+\.\w+)`/g).sort()).toEqual([...AUDIT_ACTIONS].sort());
  });
});

describe("errors.md", () => {
  const documented = [...tableRows("docs/errors.md").keys()];

  it("has every code that the server answers or the database is refused with, and no other", () => {
    const answered = findAll(sourcesOf("server"), /\bcode: "([a-z_]+)"/g);
    const refused = findAll(read("db/database-error.ts"), /^ {2}\| "([a-z_]+)"/gm);
    expect(answered.length).toBeGreaterThan(10);
    expect(refused.length).toBeGreaterThan(10);
    expect(documented.sort()).toEqual([...new Set([...answered, ...refused])].sort());
  });

  it("gives each code its status", () => {
    const page = readPage("docs/errors.md");
    const source = sourcesOf("server");
    const pairs = [...source.matchAll(/status: (\d{3}),\s*code: "([a-z_]+)"/g)];
    expect(pairs.length).toBeGreaterThan(10);
    for (const [, status, code] of pairs) expect(page).toContain(`| \`${code}\` | ${status} |`);
  });
});

describe("events.md", () => {
  const page = readPage("docs/events.md");

  it("has every field with the longest text that is taken", () => {
    const fields = page.slice(page.indexOf("## Fields"), page.indexOf("## Answer"));
    const rows = fields.split("\n").filter((line) => line.startsWith("| `"));
    for (const name of Object.keys(attemptEvent.shape)) {
      const row = rows.find((line) => line.split(" | ")[0]?.includes(`\`${name}\``));
      expect(row, name).toBeDefined();
      const longest = /(?:label|text), 1–(\d+)/.exec(row ?? "")?.[1];
      if (longest === undefined) continue;
      const event = { occurredAt: 1e12, provider: "p", model: "m" };
      const isTaken = (length: number) =>
        attemptEvent.safeParse({ ...event, [name]: "x".repeat(length) }).success;
      expect([isTaken(Number(longest)), isTaken(Number(longest) + 1)], name).toEqual([true, false]);
    }
  });

  it("has the limits", () => {
    expect(page).toContain(`| ${MAX_EVENTS_PER_REQUEST.toLocaleString("en")}, else 413`);
    expect(page).toContain(`(${MAX_BODY_BYTES.toLocaleString("en")} bytes)`);
  });

  it("has the names of columns that an import knows", () => {
    const table = page.slice(page.indexOf("| Field | Also known as |"));
    const rows = table.split("\n").filter((line) => line.startsWith("| `"));
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      const [field, ...aliases] = findAll(row, /`([^`]+)`/g);
      const filled = aliases.map((alias) => `${alias}: ${FIELDS[matchColumn(alias)?.field ?? -1]?.name}`);
      expect(filled).toEqual(aliases.map((alias) => `${alias}: ${field}`));
    }
  });
});

describe("glossary.md", () => {
  it("has every outcome as the table of the SDK has it", () => {
    const rows = tableRows("docs/glossary.md");
    expect([...rows.keys()]).toEqual(OUTCOMES);
    for (const outcome of OUTCOMES) {
      const { severity, isRetryable, fault, isCounted } = OUTCOME_TRAITS[outcome];
      const again = severity === "none" ? "–" : isRetryable ? "yes" : "no";
      const whose = fault === "nobody" ? "nobody's" : fault;
      expect(rows.get(outcome)?.slice(2), outcome).toEqual([
        severity,
        again,
        whose,
        isCounted ? "yes" : "no",
      ]);
    }
  });
});

describe("formulas.md", () => {
  it("names the outcomes of the capacity share's denominator", () => {
    const page = readPage("docs/formulas.md").replace(/\s+/g, " ");
    const counted = OUTCOMES.filter((outcome) => OUTCOME_TRAITS[outcome].isCounted && outcome !== "unknown");
    expect(page).toContain(`provider's room: \`${counted.join(" ")} unknown\``);
  });
});

describe("the changelog", () => {
  it("has a section for what is not released yet", () => {
    expect(readPage("CHANGELOG.md")).toMatch(/^## \[Unreleased\]$/m);
  });
});

describe("every page", () => {
  /** As GitHub makes them: lower case, punctuation gone, blanks to dashes. */
  const anchorsOf = (page: string) =>
    findAll(readPage(page).replace(/```[\s\S]*?```/g, ""), /^#+ (.*)$/gm).map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    );

  function judgeLink(page: string, link: string): string | null {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? page : path.join(path.dirname(page), file);
    if (!fs.existsSync(path.join(root, target))) return `${page}: no file ${link}`;
    if (anchor !== undefined && !anchorsOf(target).includes(anchor)) return `${page}: no anchor ${link}`;
    return null;
  }

  it("links to files and headings that are there", () => {
    const links = PAGES.flatMap((page) =>
      findAll(readPage(page), /\]\(([^)\s]+)\)/g)
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => judgeLink(page, link)),
    );
    expect(links.length).toBeGreaterThan(50);
    expect(links.filter((fault) => fault !== null)).toEqual([]);
  });

  it("is where the code's comments say", () => {
    const code = ["db", "sdk", "server", "web"].map(sourcesOf).join("\n");
    const references = findAll(code, /(docs\/[\w/-]+\.md(?:#[\w-]+)?)/g);
    expect(references.length).toBeGreaterThan(2);
    const faults = references.map((reference) => judgeLink("README.md", reference));
    expect(faults.filter((fault) => fault !== null)).toEqual([]);
  });

  it("is reached from the README", () => {
    const reached = new Set(["README.md"]);
    for (const page of reached) {
      for (const link of findAll(readPage(page), /\]\(([^)\s#]+\.md)(?:#[^)]*)?\)/g)) {
        if (!/^[a-z]+:/.test(link)) reached.add(path.join(path.dirname(page), link));
      }
    }
    expect(PAGES.filter((page) => !reached.has(page) && !page.startsWith("docs/decisions/"))).toEqual([]);
  });

  it("names no place that only one machine has", () => {
    const faults = PAGES.flatMap((page) =>
      findAll(readPage(page), /((?:\/work|\/root|\/home\/\w|\/Users|[A-Z]:\\)[^\s`)]*)/g).map(
        (place) => `${page}: ${place}`,
      ),
    );
    expect(faults).toEqual([]);
  });

  it("names only files of the code that are there", () => {
    const named = findAll(readPage("docs/architecture.md"), /`((?:server|sdk|db|bin)\/[\w./-]*)`/g);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
  });
});
