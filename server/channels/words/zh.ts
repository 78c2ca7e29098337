import type { ChannelWords } from "./words.ts";

const join = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null && part !== "");
const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");
const OF = { attempts: "次尝试", requests: "个请求" } as const;
const SHARE_OF = { attempts: "的尝试", requests: "的请求" } as const;

const USUAL_RULES: ReadonlyMap<string, string> = new Map([
  ["Far more capacity errors than usual", "容量错误远多于平时"],
  ["Other failures jump", "其他失败突增"],
  ["Key or permission refused", "密钥或权限被拒绝"],
  ["Quota used up", "配额用尽"],
  ["A source sends nothing any more", "某个来源不再发送事件"],
  ["Many requests answered by a fallback", "许多请求由后备目标答复"],
  ["Retries multiply the traffic", "重试使流量成倍增加"],
]);

export const channelWordsZh: ChannelWords = {
  firing: (where, what) => `${where}：${what}`,
  reminder: (where, what) => `${where}，仍未恢复：${what}`,
  acknowledged: (where, what, who) => `${where}：${who === null ? "已有人" : `${who} 正在`}处理（${what}）`,
  resolved: (where, lasted) => `${where}：已恢复，历时 ${lasted}`,
  summary: (parts) => join(parts).join(" · "),
  since: (moment) => `始于 ${moment}`,
  from: (from, to, lasted) => `${from} 至 ${to}，历时 ${lasted}`,
  usual: (value) => `平时此时段：${value}`,
  peak: (value) => `最严重时 ${value}`,
  alsoShort: (list) => `另有 ${list}`,
  late: (moment) => `延迟送达：这是 ${moment} 的情况。`,
  mayRepeat: "可能是重复消息：上一次发送没有得到答复。",
  open: "在 Busyhour 中查看",
  footer: (project) => `Busyhour · ${project}`,

  share: (outcome, share, of) => `${share} ${SHARE_OF[of]}失败（${outcome}）`,
  count: (outcome, k, n, of) => `${n} ${OF[of]}中有 ${k} 次失败（${outcome}）`,
  manyOutcomes: "多种原因",
  degradedName: "由后备目标答复",
  degraded: (share) => `${share} 的请求由后备目标答复`,
  amplifiedName: "重试",
  amplified: (perRequest) => `每个请求尝试 ${perRequest} 次`,
  amplifiedCounts: (attempts, requests) => `${requests} 个请求共 ${attempts} 次尝试`,
  silentName: "没有事件",
  silent: (_, duration) => `${duration}没有收到事件`,
  counts: (k, n, of) => `${n} ${OF[of]}中有 ${k} 次`,

  everything: "所有模型",
  source: (name) => (name === "" ? "未指明来源的事件" : `来源 ${name}`),
  chain: (name) => (name === "" ? "不经调用链的调用" : `调用链 ${name}`),
  ofProvider: (name) => `${name} 的所有模型`,
  list: (parts, more) => `${parts.join("、")}${more > 0 ? `，以及另外 ${more} 项` : ""}`,
  minutes(minutes) {
    if (minutes < 1) return "不到 1 分钟";
    if (minutes < 120) return `${minutes} 分钟`;
    const hours = Math.round(minutes / 60);
    if (hours < 48) return `${hours} 小时`;
    return `${Math.round(hours / 24)} 天`;
  },
  askInOrder: (list) => `请按此顺序调用目标：${list}。`,

  names: {
    what: "问题",
    where: "位置",
    folded: "同时受影响",
    howBad: "程度",
    usual: "平时此时段",
    peak: "最严重时",
    since: "时间",
    cause: "可能的原因",
    doNow: "怎么办",
    rule: "规则",
    note: "留言",
  },
  ruleName: (name) => USUAL_RULES.get(name) ?? name,
  test: {
    title: "测试：此渠道可用",
    markdown: "这是你请求发送的测试消息。告警会以同样的方式送达。",
  },
  broken: (channel, hint, since, waiting) => ({
    title: `渠道“${channel}”无法送达`,
    markdown: `自 ${since} 起没有任何消息送达。${hint}\n\n有 ${waiting} 条消息在等待；此事只通知一次。在设置中点击*发送测试*可以看到对方的答复。`,
  }),
  digest: ({ count, open, over, texts, from, to }) => ({
    title: `${count} 条消息合并：${open.count} 个告警未恢复，${over.count} 个已恢复`,
    markdown: [
      `${from} 至 ${to} 之间的消息多于此渠道可逐条发送的数量。`,
      open.count === 0 ? "" : `**未恢复**\n\n${bullets(open.lines)}`,
      over.count === 0 ? "" : `**已恢复**\n\n${bullets(over.lines)}`,
      texts.length === 0 ? "" : `**其他**\n\n${bullets(texts)}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  }),
  hints: {
    address_refused: "该地址指向内部网络。运行此服务器的人可以用 BUSYHOUR_OUTGOING_ALLOW 放行。",
    host_not_found: "找不到该主机。请检查地址以及服务器的域名解析。",
    timeout: "对方没有及时答复，将再次尝试。",
    tls: "此服务器不信任对方的证书，或连接无法加密。",
    unreachable: "无法建立连接，将再次尝试。",
    redirected: "对方要求跳转，跳转不会被跟随。请填写最终地址。",
    rate_limited: "对方暂时不再接收，将按其给出的时间再次尝试。",
    receiver_error: "对方自身出现故障，将再次尝试。",
    gone: "对方表示该地址已永久关闭。请新建 webhook 并填写新地址。",
    address_unknown: "对方不认识该地址：webhook 或密钥已被删除，或复制不完整。请重新填写。",
    not_allowed: "对方不允许：请检查凭据、权限和 IP 白名单。",
    bad_signature: "签名未被接受：请重新填写密钥，并检查服务器的时钟。",
    keyword_missing: "机器人要求每条消息包含关键词：请在渠道设置中填写。",
    message_refused: "对方不接收这条消息，原因见其答复。",
    not_understood: "答复不符合此类渠道的格式：地址是否正确？",
    secret_unreadable: "渠道地址无法解密：缺少对应的密钥。请重新填写。",
    interrupted: "服务器在收到答复之前停止了，将附上说明重新发送。",
    too_late: "长时间无法送达，已放弃。",
  },
};
