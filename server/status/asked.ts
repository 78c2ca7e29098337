import type { Request } from "express";
import { RANGES, type RangeName } from "./measure/bars.ts";
import { LANGUAGES, type Language } from "./words/words.ts";

const DEFAULT_RANGE: RangeName = "90d";

/** The language of `?lang=`, else the one that the browser prefers, else English. */
export function askedLanguage(req: Request, asked: string | undefined): Language {
  const named = LANGUAGES.find((language) => asked?.toLowerCase().split("-")[0] === language);
  if (named !== undefined) return named;
  const preferred = req.acceptsLanguages([...LANGUAGES]);
  return LANGUAGES.find((language) => language === preferred) ?? "en";
}

export function askedRange(asked: string | undefined): RangeName {
  return RANGES.find((range) => range === asked) ?? DEFAULT_RANGE;
}
