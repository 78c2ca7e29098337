import { Cron } from "croner";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";
import type { Advice } from "../contract/advice.ts";
import { PLAN_FORMATS } from "../contract/exports.ts";
import { type PlanDocument, planDocument } from "../contract/plan.ts";
import { exportPlan } from "./export-plan.ts";
import { describeLoss } from "./losses.ts";
import { readLitellm } from "./read-litellm.ts";
import { readPortkey } from "./read-portkey.ts";
import { toCron, writeCronJobs, writeCrontab } from "./timers.ts";
import { UnreadableConfig } from "./unreadable-config.ts";

const plan: PlanDocument = {
  version: 7,
  timeZone: "Europe/Berlin",
  chains: {
    default: {
      targets: [
        { id: "big", provider: "openai", model: "gpt-5", tier: "flagship", maxConcurrency: 20 },
        {
          id: "other",
          provider: "azure",
          model: "gpt-5",
          endpoint: "https://eu.example.com",
          requestsPerMinute: 60,
        },
        { id: "small", provider: "openai", model: "gpt-5-nano", quality: 0.5 },
      ],
      floor: "small",
      schedule: [
        { days: ["mon", "tue", "wed", "thu", "fri"], from: "10:00", to: "16:00", order: ["other", "big"] },
      ],
      retry: { maxAttempts: 5, capMs: 10_000 },
      avoid: [{ target: "big", windows: [{ from: "13:00", to: "14:00" }] }],
    },
  },
};
const NOW = Date.parse("2026-11-30T10:30:00Z"); // Monday, 11:30 in Berlin
const write = (format: (typeof PLAN_FORMATS)[number], at?: string, chain?: string, of = plan) =>
  exportPlan(of, { format, at, chain }, NOW);
const ORDER = [
  ["openai", "gpt-5"],
  ["azure", "gpt-5"],
  ["openai", "gpt-5-nano"],
];
const namesIn = ({ chains }: PlanDocument, chain = "default") =>
  chains[chain]?.targets?.map(({ provider, model }) => [provider, model]);

describe("every format", () => {
  it.each(PLAN_FORMATS)("%s can be parsed, and says in both languages what is lost", (format) => {
    const { content, mediaType, losses } = write(format);
    expect(mediaType === "application/yaml" ? parse(content) : JSON.parse(content)).toBeTypeOf("object");
    expect(losses.includes("schedule")).toBe(format !== "json");
    for (const loss of losses) {
      expect(describeLoss(loss, "en")).toMatch(/\.$/);
      expect(describeLoss(loss, "zh")).toMatch(/\p{Script=Han}/u);
    }
  });

  it("has the order of the hour that is asked for", () => {
    const first = (at: string) => JSON.parse(write("openrouter", at).content).models[0];
    expect(["base", "now", "0"].map(first)).toEqual(["openai/gpt-5", "azure/gpt-5", "azure/gpt-5"]);
  });

  it("refuses what is not there, in words", () => {
    const faultOf = (work: () => unknown) => {
      try {
        return work();
      } catch (error) {
        return (
          (error as { errors?: { detail: string }[]; code: string }).errors?.[0]?.detail ??
          (error as { code: string }).code
        );
      }
    };
    expect(faultOf(() => write("litellm", "7"))).toBe("must be base, now or blend, or a number below 1");
    expect(faultOf(() => write("litellm", "base", "none"))).toContain("default");
    const empty = { timeZone: "UTC", chains: {} };
    expect(faultOf(() => write("litellm", "base", undefined, empty))).toBe("nothing_to_export");
    const inCode = { timeZone: "UTC", chains: { default: { retry: { maxAttempts: 2 } } } };
    expect(faultOf(() => write("portkey", "base", undefined, inCode))).toBe("nothing_to_export");
  });
});

it("our own JSON is the plan, by its own schema", () => {
  expect(planDocument.parse(JSON.parse(write("json").content))).toMatchObject(plan);
});

describe("LiteLLM", () => {
  it("has a group per chain, in order, and the floor as its fallback", () => {
    const { model_list: models, router_settings: router } = parse(write("litellm").content);
    expect(models).toEqual([
      {
        model_name: "default",
        litellm_params: {
          model: "openai/gpt-5",
          api_key: "os.environ/OPENAI_API_KEY",
          order: 1,
          max_parallel_requests: 20,
        },
        model_info: { id: "default/big" },
      },
      {
        model_name: "default",
        litellm_params: {
          model: "azure/gpt-5",
          api_base: "https://eu.example.com",
          api_key: "os.environ/AZURE_API_KEY",
          order: 2,
          rpm: 60,
        },
        model_info: { id: "default/other" },
      },
      {
        model_name: "default-floor",
        litellm_params: { model: "openai/gpt-5-nano", api_key: "os.environ/OPENAI_API_KEY", order: 1 },
        model_info: { id: "default/small" },
      },
    ]);
    expect(router).toEqual({
      routing_strategy: "simple-shuffle",
      num_retries: 2,
      fallbacks: [{ default: ["default-floor"] }],
    });
  });

  it("shares by how much of the week a target is first, where orders are blended", () => {
    const weights = parse(write("litellm", "blend").content).model_list.map(
      ({ litellm_params }: { litellm_params: { weight?: number } }) => litellm_params.weight,
    );
    // 30 of 168 hours.
    expect(weights).toEqual([0.821, 0.179, undefined]);
    expect(write("litellm", "blend").losses).not.toContain("schedule");
  });

  it("comes back with the same names in the same order", () => {
    const back = readLitellm(write("litellm").content, "Europe/Berlin");
    expect(namesIn(back)).toEqual(ORDER);
    expect(back.chains["default"]?.floor).toBe("small");
    expect(parse(write("litellm", "base", undefined, back).content).model_list).toEqual(
      parse(write("litellm").content).model_list,
    );
  });

  it("is read as others write it: by order, through fallbacks, without providers or ids", () => {
    const back = readLitellm(
      `
model_list:
  - model_name: chat
    litellm_params: { model: azure/second, order: 2 }
  - model_name: chat
    litellm_params: { model: gpt-4o, order: 1 }
  - model_name: backup
    litellm_params: { model: anthropic/claude-x }
  - model_name: alone
    litellm_params: { model: openrouter/meta/llama }
litellm_settings:
  fallbacks: [{ chat: [backup, gone] }, { backup: [chat] }]
router_settings:
  fallbacks: [{ chat: [backup] }]
`,
      "UTC",
    );
    expect(Object.keys(back.chains)).toEqual(["chat", "alone"]);
    expect(namesIn(back, "chat")).toEqual([
      ["openai", "gpt-4o"],
      ["azure", "second"],
      ["anthropic", "claude-x"],
    ]);
    expect(namesIn(back, "alone")).toEqual([["openrouter", "meta/llama"]]);
  });

  it.each(["[", "model_list: []", "a: 1", "model_list: [{ model_name: x }]"])(
    "says why it cannot read %j",
    (text) => {
      expect(() => readLitellm(text, "UTC")).toThrow(UnreadableConfig);
    },
  );
});

/** As Portkey's gateway checks what it is sent: a leaf needs provider and key, a node strategy and targets. */
const portkeyNode: z.ZodType = z
  .strictObject({
    name: z.string().optional(),
    strategy: z
      .strictObject({
        mode: z.enum(["single", "loadbalance", "fallback", "conditional"]),
        on_status_codes: z.array(z.number()).optional(),
      })
      .optional(),
    provider: z.string().optional(),
    api_key: z.string().optional(),
    custom_host: z.string().optional(),
    weight: z.number().optional(),
    override_params: z.object({ model: z.string() }).optional(),
    retry: z
      .strictObject({ attempts: z.number().max(5), use_retry_after_header: z.boolean().optional() })
      .optional(),
    get targets() {
      return z.array(portkeyNode).optional();
    },
  })
  .refine(({ provider, api_key, strategy, targets }) => (provider && api_key) || (strategy && targets));

describe("Portkey", () => {
  it.each(["base", "blend"])("is what the gateway takes, and comes back in the same order: %s", (at) => {
    const { content } = write("portkey", at);
    expect(portkeyNode.safeParse(JSON.parse(content))).toMatchObject({ success: true });
    const back = readPortkey(content, "UTC");
    expect(namesIn(back)).toEqual(ORDER);
    expect(back.chains["default"]?.targets?.[0]?.id).toBe("big");
  });

  it("is read from nested nodes, by weight where they share a load", () => {
    const leaf = (model: string, weight: number) => ({ provider: "p", weight, override_params: { model } });
    const nested = {
      strategy: { mode: "fallback" },
      targets: [
        { strategy: { mode: "loadbalance" }, targets: [leaf("a", 0.2), leaf("b", 0.8)] },
        leaf("c", 1),
      ],
    };
    expect(namesIn(readPortkey(JSON.stringify(nested), "UTC"))?.map(([, model]) => model)).toEqual([
      "b",
      "a",
      "c",
    ]);
    for (const text of ["{", '{"strategy":{"mode":"x"}}', '{"provider":"p"}'])
      expect(() => readPortkey(text, "UTC")).toThrow(UnreadableConfig);
  });
});

describe("requests", () => {
  it("to OpenRouter and the AI Gateway name the model and what follows it", () => {
    expect(JSON.parse(write("openrouter").content)).toEqual({
      model: "openai/gpt-5",
      models: ["openai/gpt-5", "azure/gpt-5", "openai/gpt-5-nano"],
      provider: { allow_fallbacks: true },
    });
    expect(JSON.parse(write("vercel").content)).toEqual({
      model: "openai/gpt-5",
      providerOptions: { gateway: { models: ["azure/gpt-5", "openai/gpt-5-nano"] } },
    });
  });
});

const figures = { expected: 0.01, low: 0, high: 0.02, usual: 0.1, worst: 0.2, n: 500 };
const advice: Advice = {
  asOf: "2026-11-30T00:00:00Z",
  zone: "Asia/Tokyo",
  any: null,
  targets: [
    {
      provider: "acme",
      model: "Large/V2\nrm -rf /",
      endpoint: "",
      verdict: "advise",
      moreDays: 0,
      level: 0.9,
      weekly: null,
      repeats: null,
      backtest: [],
      windows: [
        { days: ["mon", "tue", "wed", "thu", "fri"], from: "22:00", to: "01:00", ...figures },
        { days: ["sat", "sun"], from: "03:00", to: "06:00", ...figures },
      ],
    },
  ],
};

describe("timers", () => {
  it("open when the window does, on the zone's wall, as a real scheduler reads them", () => {
    const lines = writeCrontab(advice).content.trimEnd().split("\n");
    expect(lines[0]).toBe("CRON_TZ=Asia/Tokyo");
    const crons = lines
      .filter((line) => /^\d/.test(line))
      .map((line) => line.split(" ").slice(0, 5).join(" "));
    expect(crons).toEqual(["0 22 * * 1,2,3,4,5", "0 3 * * 0,6"]);
    const next = (cron: string) =>
      new Cron(cron, { timezone: "Asia/Tokyo", paused: true })
        .nextRun(new Date("2026-11-27T13:30:00Z"))
        ?.toISOString();
    // Friday 22:30 in Tokyo.
    expect(crons.map(next)).toEqual(["2026-11-30T13:00:00.000Z", "2026-11-27T18:00:00.000Z"]);
    expect(toCron({ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "02:00" })).toBe(
      "0 2 * * *",
    );
    // A name cannot smuggle a line in.
    expect(lines.filter((line) => !/^(#|CRON_TZ=|\d)/.test(line))).toEqual([]);
  });

  it("of Kubernetes are jobs with names that it takes, in the zone, begun while the window is open", () => {
    const jobs = parseAllDocuments(writeCronJobs(advice).content).map((document) => document.toJS());
    expect(jobs.map(({ metadata }) => metadata.name)).toEqual(["run-large-v2-rm-rf", "run-large-v2-rm-rf-2"]);
    for (const { kind, metadata, spec } of jobs) {
      expect([kind, spec.timeZone, spec.startingDeadlineSeconds]).toEqual([
        "CronJob",
        "Asia/Tokyo",
        3 * 3_600,
      ]);
      expect(metadata.name).toMatch(/^[a-z0-9](?:[-a-z0-9]{0,50}[a-z0-9])?$/);
      expect(() => new Cron(spec.schedule, { paused: true })).not.toThrow();
    }
  });

  it("are of any target with room where that is advised, and not of each one besides", () => {
    const anywhere = { ...advice, any: { ...advice.targets[0], use: [] } } as unknown as Advice;
    const [jobs, each] = [anywhere, advice].map((one) => writeCronJobs(one).content.match(/name: run-\S+/g));
    expect(jobs).toEqual(["name: run-any", "name: run-any-2"]);
    expect(each).toHaveLength(2);
  });

  it("say why there are none", () => {
    const none = {
      ...advice,
      any: null,
      targets: [{ ...advice.targets[0], windows: [], verdict: "noPattern" }],
    };
    expect(() => writeCrontab(none as unknown as Advice)).toThrow(
      expect.objectContaining({
        code: "nothing_to_export",
        detail: expect.stringContaining("hours that do not repeat"),
      }),
    );
    expect(() => writeCronJobs({ ...advice, targets: [] })).toThrow(/no call is known/);
  });
});
