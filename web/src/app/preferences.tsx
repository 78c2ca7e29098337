import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useSearch } from "wouter";
import { en, type Messages } from "../messages/en.ts";
import type { Language } from "../messages/formats.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
export const LANGUAGES: readonly Language[] = ["en", "zh"];
/** Each language by its own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: "English", zh: "简体中文" };

export interface Preferences {
  readonly messages: Messages;
  readonly language: Language;
  readonly setLanguage: (language: Language) => void;
  readonly theme: Theme;
  /** What the theme comes to. */
  readonly isDark: boolean;
  readonly setTheme: (theme: Theme) => void;
  readonly hasShortcuts: boolean;
  readonly setShortcuts: (on: boolean) => void;
}

const Context = createContext<Preferences | null>(null);

export function usePreferences(): Preferences {
  const preferences = useContext(Context);
  if (preferences === null) throw new Error("usePreferences stands outside of its provider");
  return preferences;
}

export const useMessages = () => usePreferences().messages;

/** Private windows and blocked storage must not break the page. */
function readStored(name: string): string | null {
  try {
    return localStorage.getItem(`busyhour.${name}`);
  } catch {
    return null;
  }
}

function store(name: string, value: string): void {
  try {
    localStorage.setItem(`busyhour.${name}`, value);
  } catch {
    // Then it holds until the page is left.
  }
}

function firstLanguage(): Language {
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

/** Theme, language and shortcuts of this browser; `?theme=` and `?lang=` of a link come before what is stored. */
export function PreferencesProvider({ children }: { children: ReactNode }) {
  const params = new URLSearchParams(useSearch());
  const [theme, setTheme] = useState<Theme>(
    () => find(THEMES, params.get("theme")) ?? find(THEMES, readStored("theme")) ?? "system",
  );
  const [language, setLanguage] = useState<Language>(
    () => find(LANGUAGES, params.get("lang")) ?? find(LANGUAGES, readStored("language")) ?? firstLanguage(),
  );
  const [hasShortcuts, setShortcuts] = useState(() => readStored("shortcuts") !== "off");
  const isDark = useIsDark(theme);
  const messages = useCatalogue(language);

  useEffect(() => {
    document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
  }, [isDark]);
  useEffect(() => {
    document.documentElement.lang = language === "zh" ? "zh-Hans" : "en";
  }, [language]);

  const value = useMemo<Preferences | null>(
    () =>
      messages && {
        messages,
        language,
        setLanguage: (next) => {
          store("language", next);
          setLanguage(next);
        },
        theme,
        isDark,
        setTheme: (next) => {
          store("theme", next);
          setTheme(next);
        },
        hasShortcuts,
        setShortcuts: (on) => {
          store("shortcuts", on ? "on" : "off");
          setShortcuts(on);
        },
      },
    [messages, language, theme, isDark, hasShortcuts],
  );
  return value && <Context value={value}>{children}</Context>;
}

function find<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}

/** English is part of the first load; other catalogues come when they are asked for. */
function useCatalogue(language: Language): Messages | null {
  const [loaded, setLoaded] = useState<Messages | null>(() => (language === "en" ? en : null));
  useEffect(() => {
    let isWanted = true;
    if (language === "en") setLoaded(en);
    else {
      import("../messages/zh.ts")
        .then(({ zh }) => isWanted && setLoaded(zh))
        .catch(() => isWanted && setLoaded(en));
    }
    return () => {
      isWanted = false;
    };
  }, [language]);
  return loaded;
}

function useIsDark(theme: Theme): boolean {
  const [systemIsDark, setSystemIsDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const media = matchMedia("(prefers-color-scheme: dark)");
    const update = () => setSystemIsDark(media.matches);
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, []);
  return theme === "system" ? systemIsDark : theme === "dark";
}
