import type { adviceEn, episodesEn } from "./advice-en.ts";

export const adviceZh = {
  title: "何时运行",
  sentence: (advised: number, judged: number) =>
    advised === 0
      ? "就目前所知，没有模型在某些时段明显更好。"
      : judged === 1
        ? "有些时段每周都更好。"
        : `${judged} 个模型中有 ${advised} 个每周都有更好的时段。`,
  basis: (zone: string) => `从最近八周学得，并用每一周之前的数据在那一周上试过。时间按 ${zone}。`,
  length: "时长",
  lengthOf: (count: number) => `${count} 小时`,
  allowed: "可运行时段",
  anytime: "任何时间",
  between: (from: string, to: string) => `${from}–${to}`,
  days: {
    all: "每天",
    weekdays: "工作日",
    weekend: "周末",
    list: (names: readonly string[]) => names.join("、"),
  },
  cards: "各模型的建议",
  run: (window: string, when: string) => `${when} ${window} 运行`,
  expected: (expected: string, usual: string) => `预计 ${expected} 没有余量，平时 ${usual}`,
  interval: (range: string) => `十周中有九周在 ${range} 之间`,
  evidence: "有多大把握？",
  figures: { interval: "十周中的九周", worst: "最差的时段", n: "学自多少次调用" },
  tried: (inside: string, usual: string, weeks: number) =>
    `若在最近 ${weeks} 周的每一周之前给出建议，建议时段为 ${inside}，全部时段为 ${usual}。`,
  triedNone: "此前没有一周的调用足以检验。",
  columns: { week: "周", inWindow: "建议时段", usual: "全部时段", oracle: "事后最佳" },
  weekly: (window: string, when: string, expected: string) =>
    `每周只运行一次：${when} ${window}，预计 ${expected}。`,
  any: "任一模型皆可",
  use: (names: readonly string[]) => `用余量最多的：${names.join("、")}`,
  toGrid: "在一周中查看",
  others: "没有建议",
  verdicts: {
    noGain: "没有可改善之处：没有哪个时段明显更好",
    noPattern: "没有规律：有时繁忙，但时段不固定",
    tooLittleData: (more: number) => `调用太少：大约还需 ${more} 天`,
  },
  empty: "还没有调用过任何模型。",
  recommended: "建议时段",
  legend: "建议时段",
  exports: {
    title: "用于其他工具",
    note: "建议时段写成定时任务；已发布的计划写成其他网关的配置",
    format: "格式",
    formats: {
      crontab: "crontab",
      kubernetes: "Kubernetes CronJob",
      litellm: "LiteLLM config.yaml",
      portkey: "Portkey 配置",
      openrouter: "OpenRouter 请求",
      vercel: "Vercel AI Gateway 请求",
      json: "Busyhour 计划",
    },
    file: "文件",
    copy: "复制",
    copied: "已复制",
    losses: "它无法表达的内容",
  },
  orders: {
    toPlan: (chain) => `写入 ${chain} 的计划`,
    title: "先用哪个目标",
    note: (attempts: number, seconds: number) =>
      `路由器上报的调用链 · ${seconds} 秒内最多尝试 ${attempts} 次`,
    empty: "最近七天没有路由器上报调用链。",
    advise: (chain: string, window: string, when: string, order: string) =>
      `${chain}：${when} ${window} 按 ${order} 的顺序`,
    gain: (own: string, advised: string) => `首个目标答复 ${advised} 的请求，原来 ${own}`,
    success: (own: string, advised: string) => `最终得到答复：${advised}，原来 ${own}`,
    tier: (own: string, advised: string) => `由最好一档答复：${advised}，原来 ${own}`,
    gainRange: (low: string, high: string) => `十周中有九周变化 ${low} 至 ${high} 个百分点`,
    requests: (count: string) => `每周 ${count} 个请求`,
    keep: "保持现有顺序",
    verdicts: {
      noGain: "没有值得更换的顺序",
      noPattern: "换个顺序有时更好，但时段不固定",
    },
    wholeDay: "全天",
  },
} satisfies typeof adviceEn;

export const episodesZh = {
  title: "繁忙记录",
  sentence: (count: number, models: number) =>
    count === 0 ? "这个范围内没有模型容量不足。" : `${models} 个模型共有 ${count} 次容量不足。`,
  open: (names: readonly string[]) => `${names.join("、")} 现在容量不足。`,
  basis: (zone: string) => `逐分钟记录每次容量不足的起止，每晚再修正。时间按 ${zone}。`,
  timeline: "时间线",
  note: (range: string, zone: string) => `${range} · ${zone}`,
  empty: "这个范围内没有模型容量不足。",
  columns: {
    target: "模型",
    when: "时间",
    hours: "开始的小时",
    recovery: "通常多久恢复",
    tries: "需要几次尝试",
    began: "开始",
    lasted: "持续",
    errors: "没有余量",
    peak: "最差十分钟",
    wide: "范围",
  },
  strip: (name: string, count: number) => `${name}：${count} 次`,
  hoursLabel: (name: string, hour: string) => `${name} 开始繁忙的小时，最多在 ${hour}`,
  recovery: (half: string, most: string) => `${half}（十次中的九次：${most}）`,
  list: "逐次",
  listNote: (shown: number, all: number) => (shown < all ? `共 ${all} 次，最近 ${shown} 次` : "最新在前"),
  goesOn: "仍在继续",
  wide: "整个服务商",
  alone: "仅此模型",
  errors: (errors: string, attempts: string) => `${errors} / ${attempts}`,
  why: "原因",
  whyOf: (name: string, when: string) => `${name} 在 ${when} 为什么容量不足？`,
  whyRange: "这个范围的原因",
  allModels: "所有模型",
  chooser: "模型",
  diagnosis: {
    title: (name: string) => `${name} 为什么容量不足？`,
    marks: { points: "原因在此", clear: "不是这里", unknown: "未知" },
    toDo: "怎么办",
    numbers: "当时的所有目标",
    usual: "平时",
  },
} satisfies typeof episodesEn;
