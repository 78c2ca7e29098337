import type { Dialect } from "../markdown.ts";

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "<": "＜",
  ">": "＞",
  "[": "［",
  "]": "］",
  "*": "＊",
  "`": "＇",
  "#": "＃",
  "!": "！",
};

/**
 * The Markdown of robots that know no escape: signs with a meaning are replaced by their wide twins, so that a text can
 * be no link, no image and no mention.
 */
export const escapeByLooks = (text: string) =>
  text.replace(/[<>[\]*`#!]/g, (sign) => LOOK_ALIKES[sign] ?? sign);

export const ROBOT_MARKDOWN: Dialect = {
  escape: escapeByLooks,
  strong: (text) => `**${text}**`,
  emphasis: (text) => text,
  code: escapeByLooks,
  link: (text, url) => `[${escapeByLooks(text)}](${url.replaceAll(")", "%29")})`,
  heading: (line) => `**${line}**`,
  item: (line) => `- ${line}`,
};
