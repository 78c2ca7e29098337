import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..", "..");

/** Code blocks of a page, in order; of those under one heading when it is given. */
export function listBlocks(page: string, language: string, heading?: string): string[] {
  const text = fs.readFileSync(path.join(root, page), "utf8");
  const chapter =
    heading === undefined ? text : (text.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "");
  const blocks = chapter.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"));
  return [...blocks].map(([, code]) => code ?? "");
}

/** Runs a block of TypeScript as it stands, in a process of its own, and gives what it prints. */
export async function runSnippet(code: string, folder: string, env: Record<string, string>): Promise<string> {
  const file = path.join(folder, `snippet-${Math.random().toString(36).slice(2)}.mjs`);
  await build({
    stdin: { contents: code, resolveDir: root, loader: "ts" },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    // Some packages ask for Node's modules in the old manner.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    logLevel: "error",
  });
  const options = { cwd: folder, env: { PATH: process.env["PATH"], ...env } };
  return (await promisify(execFile)(process.execPath, [file], options)).stdout;
}
