/** Words after which a quotation is what the provider says, not what it was sent. */
const SPEAKS =
  /(?:messages?|details?|errors?|reason|desc|description|msg|body|cause|limit|metric|said|response|some\(|class|→|status|code=-?\d+)["')]?\s*[:=(]?\s*$/i;
/** Words after which whatever follows was sent by the caller. */
const ECHO = /\b(?:user message|input_value|flagged_input|user_input|prompt|content|input)\s?=\s?.*/is;
const KEY_ECHO = /(api[- _]?key (?:provided|is|was))\s?:\s?\S+/gi;

/**
 * The text without what it quotes: a prompt, a parameter or a key echoed in a message may contain any word, and
 * must not decide. A text that is one quotation as a whole, and what is quoted as somebody's message, stay.
 */
export function withoutQuotations(text: string): string {
  if (!/[`"'“=]|key/i.test(text)) return text;
  const whole = /^\s*(["'“])([\s\S]*)["'”]\s*$/.exec(text);
  const inside = whole?.[2]?.replace(/\\(["'])/g, "");
  const said = inside !== undefined && !inside.includes(whole?.[1] ?? '"') ? inside : text;
  const kept = said.replace(KEY_ECHO, "$1").replace(ECHO, "");
  const own = kept.replace(
    /`[^`\n]{0,300}`|"[^"\n]{0,300}"|“[^”\n]{0,300}”|(?:^|[\s(=:,[])'[^'\n]{0,300}'(?!\w)/g,
    replaceQuotation,
  );
  // Where nothing but a quotation was said, as in `429 "…"`, it is the message.
  return /[a-z\u0100-\uffff]{2}/i.test(own) ? own : kept;
}

function replaceQuotation(quotation: string, ...rest: unknown[]): string {
  const text = String(rest.at(-1));
  const offset = Number(rest.at(-2));
  return SPEAKS.test(text.slice(Math.max(0, offset - 24), offset)) ? quotation : " ";
}
