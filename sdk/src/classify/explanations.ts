import type { Outcome } from "../outcome.ts";

/** What an outcome means and what to do about it now, for a person who has just met it. */
export interface Explanation {
  /** The outcome's name in words. */
  readonly name: string;
  readonly why: string;
  readonly doNow: string;
}

export type ExplanationLanguage = "en" | "zh";

/** The one catalogue of what outcomes mean, used by the command, the pages and alerts alike. */
export const EXPLANATIONS: Readonly<Record<ExplanationLanguage, Readonly<Record<Outcome, Explanation>>>> = {
  en: {
    ok: { name: "success", why: "The call was answered.", doNow: "Nothing." },
    capacity: {
      name: "no room at the provider",
      why: "The provider's shared capacity for this model is full. Your own limits are not the cause.",
      doNow:
        "Try again after a short, growing pause, or send the call to another model now. It usually lasts minutes.",
    },
    rate_limit: {
      name: "own rate limit",
      why: "Your own allowance of requests or tokens per time, or of calls at once, is used up.",
      doNow: "Wait as long as was stated, send fewer calls at once, or use another model or account.",
    },
    quota: {
      name: "money or plan used up",
      why: "The balance, budget, free allotment or plan does not cover the call. Waiting minutes does not help.",
      doNow:
        "Top up, raise the limit or renew the plan. Until then use another provider or account, and stop retrying.",
    },
    auth: {
      name: "key not accepted",
      why: "The key or token is missing, wrong, expired or meant for another endpoint.",
      doNow: "Check which key this call used and where it points. Retrying does not help.",
    },
    permission: {
      name: "not allowed",
      why: "The caller is known, but the account, plan, region or policy does not allow this.",
      doNow: "Ask for access, accept the terms or change the setting; or use a model that is open to you.",
    },
    not_found: {
      name: "no such model",
      why: "The model, deployment or path does not exist, or no longer.",
      doNow: "Check the name and the address. If it worked a minute ago, the provider may be in trouble.",
    },
    invalid_request: {
      name: "bad request",
      why: "A parameter or the body is not what the provider takes.",
      doNow:
        "Mend the request: the message usually names the field. Sending it again unchanged does not help.",
    },
    context_length: {
      name: "prompt too long",
      why: "Prompt and answer together are longer than the model's window.",
      doNow: "Shorten the prompt or lower the answer's limit, or choose a model with a larger window.",
    },
    content_filter: {
      name: "stopped by a safety filter",
      why: "A safety filter refused the prompt or stopped the answer.",
      doNow: "Change the prompt. Another model may judge otherwise; the same one will not.",
    },
    timeout: {
      name: "no answer in time",
      why: "No complete answer came before somebody gave up: your client, a gateway or the provider.",
      doNow:
        "Try again; stream long answers, or allow more time. Many of these at one hour mean a full provider.",
    },
    network: {
      name: "connection broke",
      why: "The connection was refused, cut off or never came about.",
      doNow: "Try again at once. If it stays, check DNS, proxy, firewall and certificates on your side.",
    },
    server_error: {
      name: "fault at the provider",
      why: "The provider or a gateway before it failed by itself, without being full.",
      doNow: "Try again a few times with growing pauses, then use another model.",
    },
    cancelled: {
      name: "called off",
      why: "The caller gave up before the answer came. It says nothing about the provider.",
      doNow: "Nothing, if it was meant.",
    },
    unknown: {
      name: "not recognised",
      why: "Nothing in it tells what happened.",
      doNow: "Look at the raw error. If you know what it means, add a rule of your own.",
    },
    bad_output: {
      name: "answer of no use",
      why: "An answer came, and your own check refused it.",
      doNow: "Try again or another model; if it happens often, look at the prompt and the check.",
    },
  },
  zh: {
    ok: { name: "成功", why: "调用得到了回答。", doNow: "无需处理。" },
    capacity: {
      name: "服务商容量不足",
      why: "该模型的共享容量已满，并非你自己的限额所致。",
      doNow: "稍等片刻并逐次延长间隔后重试，或立即改用其他模型；通常持续几分钟。",
    },
    rate_limit: {
      name: "自身限流",
      why: "你在单位时间内的请求数、token 数或并发数已用完。",
      doNow: "按提示的时间等待，降低并发，或改用其他模型或账号。",
    },
    quota: {
      name: "余额或套餐用尽",
      why: "余额、预算、免费额度或套餐不足以支付此次调用，等几分钟也无济于事。",
      doNow: "充值、提高上限或续订套餐；在此之前改用其他服务商或账号，并停止重试。",
    },
    auth: {
      name: "密钥无效",
      why: "密钥或令牌缺失、错误、过期，或不属于该端点。",
      doNow: "核对此次调用所用的密钥及其指向的地址；重试没有用。",
    },
    permission: {
      name: "没有权限",
      why: "身份已确认，但账号、套餐、地区或政策不允许此操作。",
      doNow: "申请权限、接受条款或修改设置；或者改用你有权使用的模型。",
    },
    not_found: {
      name: "模型不存在",
      why: "模型、部署或路径不存在，或已下线。",
      doNow: "核对名称和地址。若一分钟前还能用，可能是服务商出了问题。",
    },
    invalid_request: {
      name: "请求有误",
      why: "某个参数或请求体不符合服务商的要求。",
      doNow: "修正请求，错误信息通常会指出字段；原样重发没有用。",
    },
    context_length: {
      name: "提示过长",
      why: "提示与回答合计超出模型的上下文窗口。",
      doNow: "缩短提示或降低回答上限，或选用窗口更大的模型。",
    },
    content_filter: {
      name: "被安全过滤拦截",
      why: "安全过滤拒绝了提示，或中止了回答。",
      doNow: "修改提示。其他模型的判断可能不同，同一模型不会改变。",
    },
    timeout: {
      name: "超时",
      why: "在客户端、网关或服务商放弃之前，没有得到完整的回答。",
      doNow: "重试；长回答请用流式传输，或放宽时限。若集中在某个时段，多半是服务商已满。",
    },
    network: {
      name: "连接中断",
      why: "连接被拒绝、被切断，或根本没有建立。",
      doNow: "立即重试。若一直如此，请检查本方的 DNS、代理、防火墙和证书。",
    },
    server_error: {
      name: "服务商故障",
      why: "服务商或其前面的网关自身出错，并非容量已满。",
      doNow: "逐次延长间隔重试几次，然后改用其他模型。",
    },
    cancelled: {
      name: "已取消",
      why: "调用方在回答到来之前放弃了，与服务商无关。",
      doNow: "若是有意为之，无需处理。",
    },
    unknown: {
      name: "无法识别",
      why: "其中没有任何信息能说明发生了什么。",
      doNow: "查看原始错误；若你知道它的含义，可以添加自己的规则。",
    },
    bad_output: {
      name: "回答不可用",
      why: "得到了回答，但没有通过你自己的检查。",
      doNow: "重试或改用其他模型；若经常发生，请检查提示和校验规则。",
    },
  },
};
