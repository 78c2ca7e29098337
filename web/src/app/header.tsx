import { Choice } from "../components/choice.tsx";
import controls from "../components/controls.module.css";
import { LineIcon } from "../components/icons.tsx";
import { Menu } from "../components/menu.tsx";
import type { Language } from "../messages/formats.ts";
import styles from "./header.module.css";
import {
  LANGUAGE_NAMES,
  LANGUAGES,
  THEMES,
  type Theme,
  useMessages,
  usePreferences,
} from "./preferences.tsx";
import { RangePicker, RangeSheet } from "./range-picker.tsx";
import { SignOutButton } from "./sign-out.tsx";
import { useScope } from "./use-scope.ts";
import { PHONE, useMedia, useView } from "./view.tsx";
import { ZonePicker } from "./zone-picker.tsx";

export function Header({ onShortcuts }: { onShortcuts: () => void }) {
  const isPhone = useMedia(PHONE);
  return (
    <header className={styles["header"]}>
      <ProjectPicker />
      {isPhone ? <PhoneMenu onShortcuts={onShortcuts} /> : <WideControls onShortcuts={onShortcuts} />}
    </header>
  );
}

function WideControls({ onShortcuts }: { onShortcuts: () => void }) {
  const { header, menu } = useMessages();
  const { language } = usePreferences();
  return (
    <>
      <RangePicker />
      <ZonePicker />
      <span className={styles["gap"]} />
      <ThemeButton />
      <Menu label={`${menu}: ${LANGUAGE_TAGS[language]}`} button={<LanguageTag />} align="end">
        {() => (
          <>
            <LanguagePicker />
            <ThemePicker />
            <SignOutButton />
          </>
        )}
      </Menu>
      <button
        type="button"
        className={controls["quiet"]}
        aria-label={header.shortcuts}
        title={`${header.shortcuts} ?`}
        onClick={onShortcuts}
      >
        <LineIcon name="keys" />
      </button>
    </>
  );
}

function PhoneMenu({ onShortcuts }: { onShortcuts: () => void }) {
  const { menu, header } = useMessages();
  const { scope, change } = useScope();
  return (
    <>
      <span className={styles["gap"]} />
      <Menu label={menu} button={<LineIcon name="sliders" />} align="end">
        {(close) => (
          <>
            <RangeSheet
              range={scope.range}
              onChoose={(range) => {
                change({ range });
                close();
              }}
            />
            <ZonePicker isField />
            <ThemePicker />
            <LanguagePicker />
            <SignOutButton />
            <button
              type="button"
              className={controls["quiet"]}
              onClick={() => {
                close();
                onShortcuts();
              }}
            >
              <LineIcon name="keys" /> {header.shortcuts}
            </button>
          </>
        )}
      </Menu>
    </>
  );
}

function ProjectPicker() {
  const { header } = useMessages();
  const { change } = useScope();
  const { project, projects } = useView();
  return (
    <label className={styles["project"]}>
      <span className="hidden">{header.project}</span>
      <select
        className={styles["plainSelect"]}
        value={project.slug}
        onChange={(event) => change({ project: event.target.value, target: null })}
      >
        {projects.map(({ slug, name }) => (
          <option key={slug} value={slug}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function ThemeButton() {
  const { header } = useMessages();
  const { isDark, setTheme } = usePreferences();
  const next = isDark ? "light" : "dark";
  return (
    <button
      type="button"
      className={controls["quiet"]}
      aria-label={`${header.theme}: ${header.themes[next]}`}
      title={`${header.themes[next]} (d)`}
      onClick={() => setTheme(next)}
    >
      <LineIcon name={isDark ? "sun" : "moon"} />
    </button>
  );
}

const LANGUAGE_TAGS: Readonly<Record<Language, string>> = { en: "EN", zh: "中文" };

function LanguageTag() {
  const { language } = usePreferences();
  return (
    <>
      <span className={styles["tag"]}>{LANGUAGE_TAGS[language]}</span>
      <LineIcon name="down" />
    </>
  );
}

function LanguagePicker() {
  const { header } = useMessages();
  const { language, setLanguage } = usePreferences();
  return (
    <Choice
      label={header.language}
      value={language}
      onChange={(value) => setLanguage(value as Language)}
      options={LANGUAGES.map((value) => [value, LANGUAGE_NAMES[value]])}
    />
  );
}

function ThemePicker() {
  const { header } = useMessages();
  const { theme, setTheme } = usePreferences();
  return (
    <Choice
      label={header.theme}
      value={theme}
      onChange={(value) => setTheme(value as Theme)}
      options={THEMES.map((value) => [value, header.themes[value]])}
    />
  );
}
