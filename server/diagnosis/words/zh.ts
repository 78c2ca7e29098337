import { reachedBy } from "../judge-others.ts";
import type { DiagnosisWords } from "./words.ts";

const list = (parts: readonly string[]) => parts.join("，");

export const wordsZh: DiagnosisWords = {
  counts: (k, n) => `（${k} / ${n}）`,
  noCalls: "没有调用",
  sentence: (name, cell, usual, cause) => `${name}：${cell}没有余量，平时 ${usual}。${cause}`,
  asks: {
    kind: "确实是容量问题吗？",
    traffic: "自己的流量增长了吗？",
    attempts: "负载来自自己的重试吗？",
    concurrency: "自己的并发过高吗？",
    scope: "影响到哪里？",
    elsewhere: "换模型或换时段可行吗？",
  },
  causes: {
    none: "并不缺容量。",
    tooFew: "调用太少，说不出原因。",
    notCapacity: "但多数失败属于另一类。",
    ownTraffic: "自己的流量增长了。",
    ownRetries: "自己的重试占了很大一部分负载。",
    ownConcurrency: "自己的并发过高。",
    asUsual: "这个时段平时也同样拥挤。",
    endpoint: "只有这个端点拥挤，该模型的其他端点有余量。",
    model: "是这个模型拥挤，不是整个服务商。",
    provider: "整个服务商资源紧张。",
    everything: "所调用的服务商全都资源紧张。",
    unclear: "无法判断影响范围。",
  },

  kind({ verdict, capacity, usual, failures, leading }, { cell, share, outcome, number }) {
    switch (verdict) {
      case "tooFew":
        return `只有 ${number(capacity.n)} 次计入的调用，太少，无法判断。`;
      case "none":
        return `几乎不是：${cell(capacity)}没有余量，平时 ${share(usual.rate)}。`;
      case "other": {
        const most = leading ?? "unknown";
        return `不是：多数失败是“${outcome(most).name}”（${number(failures[most] ?? 0)} 次），没有余量的只有 ${number(capacity.k)} 次。`;
      }
      case "capacity":
        return `是：${cell(capacity)}没有余量，平时 ${share(usual.rate)}。`;
    }
  },
  traffic({ verdict, perHour, usualPerHour, weeks }, { number }) {
    const now = `每小时 ${number(perHour, perHour < 10 ? 1 : 0)} 个请求`;
    if (usualPerHour === null) return `${now}；没有更早的一周可以比较。`;
    const usual = `此前 ${weeks} 周的同一时段为 ${number(usualPerHour, usualPerHour < 10 ? 1 : 0)} 个`;
    if (verdict === "grew") return `自己的流量增长了：${now}，${usual}。`;
    if (verdict === "fell") return `发送得比平时少：${now}，${usual}。`;
    return `与平时相当：${now}，${usual}。`;
  },
  attempts({ verdict, perRequest, usualPerRequest, layers, unlinked }, { number }) {
    if (perRequest === null || verdict === "unknown")
      return `未知：${unlinked === 0 ? "尝试太少" : `${number(unlinked)} 次尝试没有请求编号`}，无法区分重试与请求。`;
    const before = usualPerRequest === null ? "" : `，前一天为 ${number(usualPerRequest, 2)} 次`;
    if (verdict === "normal") return `重试不多：每个请求在此尝试 ${number(perRequest, 2)} 次${before}。`;
    const top = layers[0];
    const who =
      top === undefined
        ? ""
        : `最多的来自${top.source === "" ? "未指明的来源" : ` ${top.source}`}，${top.chain === "" ? "不经路由器" : `调用链 ${top.chain}`}：${number(top.perRequest, 2)} 次。`;
    return `重试风暴：每个请求在此尝试 ${number(perRequest, 2)} 次${before}。${who}`;
  },
  concurrency({ verdict, atOnceP50, atOnceMost, level, below, from }, { number, cell }) {
    if (verdict === "unknown" || atOnceP50 === null || atOnceMost === null)
      return "未知：上报并发数（inFlight）的尝试太少。";
    if (level === null || below === null || from === null)
      return `不是原因：任何并发数下都有错误（中位 ${number(atOnceP50)}，最多 ${number(atOnceMost)}）。`;
    return `并发达到 ${number(level)} 时开始出错：从此处起 ${cell(from)}，低于它时 ${cell(below)}。`;
  },
  scope({ verdict, targets }, { cell, target }) {
    const short = reachedBy(verdict, targets);
    const names = short
      .slice(0, 5)
      .map((one) => `${target(one)} ${cell(one.capacity)}`)
      .join("、");
    switch (verdict) {
      case "nothing":
        return "当时没有任何目标容量不足。";
      case "unknown":
        return "未知：当时对其他目标的调用太少。";
      case "endpoint":
        return `只有这个端点：${names}；该模型在别处有余量。`;
      case "model":
        return `这个模型：${names}；其他有余量。`;
      case "provider":
        return `整个服务商：${names}。`;
      case "everything":
        return `全部：${names}。`;
    }
  },
  elsewhere({ verdict, model, hour, window }, { cell, target, time, share }) {
    const parts: string[] = [];
    if (model !== null) parts.push(`${target(model)} 有余量：${cell(model.capacity)}`);
    if (hour !== null) parts.push(`它自己在 ${time(hour.from, hour.to)}：${cell(hour.capacity)}`);
    const measured =
      verdict === "neither" ? "其他目标和邻近时段都没有明显更多的余量。" : `可以：${list(parts)}。`;
    return window === null
      ? measured
      : `${measured}它的忙时有规律：${window.from}–${window.to} 预计 ${share(window.expected)}。`;
  },

  everyModel: "所有模型",
  toDo: "怎么办",
  remedies: {
    nothing: () => "不需要做什么。",
    gather: () => "请看更长的范围，或等待更多调用。",
    mendFailure: ({ findings }, { outcome }) => outcome(findings.kind.leading ?? "unknown").doNow,
    spreadLoad: () => "把自己的调用分散开，能等的先等，或向服务商申请更多配额。",
    retryLess: ({ findings }) =>
      `只让一层负责重试，最多三到五次，等待逐次加长，并设重试预算${findings.attempts.layers[0]?.chain === "" ? "；把客户端自带的重试设为 0" : ""}。`,
    fewerAtOnce: ({ findings }, { number }) =>
      `对它的并发最多保持 ${number(Math.max(1, (findings.concurrency.level ?? 2) - 1))}。`,
    useOther: ({ findings }, { target, share }) => {
      const model = findings.elsewhere.model;
      return model === null
        ? ""
        : `把这类调用发给 ${target(model)}：当时那里只有 ${share(model.capacity.rate)} 没有余量。`;
    },
    moveToWindow: ({ findings }, { share }) => {
      const window = findings.elsewhere.window;
      return window === null
        ? ""
        : `把能等的任务移到 ${window.from}–${window.to}：预计 ${share(window.expected)}。`;
    },
    waitOut: ({ recoveryMinutes }, { number }) =>
      `等一等：一半的繁忙时段在 ${number(recoveryMinutes ?? 0)} 分钟后结束。`,
    addProvider: () => "添加另一家服务商的目标，并在调用链末尾放一个便宜的兜底模型。",
  },
};
