import { type Language, wordsOf } from "../words/words.ts";
import { ASSET_PATHS, iconPath } from "./assets.ts";
import { html } from "./markup.ts";

/** What is answered where there is no page, or none that is public: it tells nothing of which it is. */
export function renderNotFound(language: Language): string {
  const { tag, notFound } = wordsOf(language);
  return html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${notFound.title}</title>
<link rel="icon" href="${iconPath("noData")}" type="image/svg+xml">
<link rel="stylesheet" href="${ASSET_PATHS.css}">
</head>
<body><main><div class="headline"><h1>${notFound.title}</h1><p>${notFound.text}</p></div></main></body>
</html>
`.text;
}
