import { type Sender, send } from "./plans.ts";
import { NOW } from "./support.ts";

const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString();
const target = (provider: string, model: string) => ({ provider, model, endpoint: null });

/** A status page under `/status/atlas`, with a component of each mode, an incident and a maintenance. */
export async function fillStatusPage(dashboard: Sender, project = "sample"): Promise<void> {
  const to = (path: string) => `${path}?project=${project}`;
  const settings = await send(dashboard, "PUT", to("/api/status-page"), {
    slug: "atlas",
    isPublic: true,
    name: { en: "Atlas AI", zh: "阿特拉斯智能" },
    about: {
      en: "How the models behind Atlas answer right now, and when they are usually busy.",
      zh: "阿特拉斯背后的模型当前的响应情况，以及通常繁忙的时段。",
    },
    homeUrl: "https://atlas.example.com",
    components: [
      {
        name: { en: "Chat, best answers", zh: "对话（最佳）" },
        about: { en: "Our largest model.", zh: "我们最大的模型。" },
        mode: "auto",
        targets: [target("openai", "gpt-5")],
      },
      {
        name: { en: "Chat, quick answers", zh: "对话（快速）" },
        mode: "both",
        targets: [target("google", "gemini-2.5-pro"), target("google", "gemini-2.5-flash")],
      },
      {
        name: { en: "Writing", zh: "写作" },
        mode: "auto",
        targets: [target("anthropic", "claude-opus-4-5")],
      },
      { name: { en: "Code" }, mode: "auto", targets: [target("deepseek", "deepseek-chat")] },
      { name: { en: "Search", zh: "搜索" }, mode: "manual", targets: [] },
      { name: { en: "Images", zh: "图像" }, mode: "auto", targets: [target("nobody", "none")] },
    ],
  });
  const ids = (settings["components"] as { id: string }[]).map(({ id }) => id);
  const post = (path: string, body: unknown) => send(dashboard, "POST", to(path), body);
  const incident = await post("/api/status-notes", {
    kind: "incident",
    impact: "major",
    title: { en: "Quick answers take longer than usual", zh: "快速对话响应变慢" },
    components: [ids[1]],
    startsAt: at(-1),
    body: {
      en: "Some of you wait longer for quick answers. We are looking into it.",
      zh: "部分用户等待快速对话的时间变长。我们正在调查。",
    },
  });
  await post(`/api/status-notes/${incident["id"]}/updates`, {
    state: "identified",
    body: {
      en: "Our supplier is short of room in one region. We are moving traffic to another one.\n\nBest answers are not touched.",
    },
  });
  await post("/api/status-notes", {
    kind: "maintenance",
    title: { en: "Search moves to new machines", zh: "搜索迁移到新机器" },
    components: [ids[4]],
    startsAt: at(40),
    endsAt: at(42),
    body: { en: "Search will be away for a few minutes.", zh: "搜索将短暂不可用。" },
  });
  const past = await post("/api/status-notes", {
    kind: "incident",
    impact: "none",
    title: { en: "Search was away", zh: "搜索曾不可用" },
    components: [ids[4]],
    startsAt: at(-100),
    state: "investigating",
    body: { en: "Search does not answer.", zh: "搜索没有响应。" },
  });
  await post(`/api/status-notes/${past["id"]}/updates`, {
    state: "resolved",
    body: { en: "It is back.", zh: "已恢复。" },
  });
}
