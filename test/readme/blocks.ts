/** A fenced block of code, with the heading that it stands under. */
export interface Block {
  readonly heading: string;
  readonly code: string;
}

/** The blocks fenced as code of a language, in their order. */
export function listBlocks(page: string, language: string): Block[] {
  const blocks: Block[] = [];
  let heading = "";
  for (const match of page.matchAll(
    new RegExp(`^## (.+)$|^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"),
  )) {
    if (match[1] !== undefined) heading = match[1];
    else blocks.push({ heading, code: match[2] ?? "" });
  }
  return blocks;
}
