import type { Classification, Failure, Rule } from "@busyhour/sdk";
import { useDeferredValue, useMemo, useState } from "react";
import { useMessages } from "../../app/preferences.tsx";
import controls from "../../components/controls.module.css";
import { withCode } from "../../components/with-code.tsx";
import styles from "./errors-page.module.css";
import { EXAMPLE_NAMES, EXAMPLES } from "./examples.ts";
import { parseStatus, readFailures } from "./read-failures.ts";
import { Verdict } from "./verdict.tsx";

/** Suggested, since they are the names that rules know; any other is taken as well. */
const PROVIDERS =
  "openai anthropic google vertex bedrock azure deepseek dashscope zhipu moonshot minimax volcengine tencent baidu siliconflow spark mistral xai groq together fireworks openrouter".split(
    " ",
  );

export interface NamePanelProps {
  readonly classify: (failure: Failure) => Classification;
  /** The rules of the project's own that it asks first. */
  readonly own: readonly Rule[];
  /** Which rules those are, in words. */
  readonly note: string | null;
}

/** Paste an error, get its name. What is pasted stays in this component. */
export function NamePanel({ classify, own, note }: NamePanelProps) {
  const { errors, outcomes } = useMessages();
  const [text, setText] = useState("");
  const [provider, setProvider] = useState("");
  const [statusText, setStatusText] = useState("");
  const status = parseStatus(statusText);
  // A long paste must not hold up the typing.
  const settled = useDeferredValue(text);
  const { named, faults, leftOut } = useMemo(() => {
    const known = { provider: provider.trim() || null, status: status ?? null, nowMs: Date.now() };
    const reading = readFailures(settled, known);
    return {
      ...reading,
      named: reading.failures.map(({ id, failure }) => ({ id, verdict: classify(failure) })),
    };
  }, [settled, provider, status, classify]);
  const fill = (next: string) => {
    setText(next);
    setProvider("");
    setStatusText("");
  };
  const first = named[0];
  return (
    <section className={styles["name"]}>
      <header>
        <h1>{errors.title}</h1>
        <p>{withCode(errors.intro)}</p>
        <p className={styles["privacy"]}>{errors.privacy}</p>
      </header>
      <div className={styles["form"]}>
        <label className={controls["field"]}>
          <span>{errors.pasted}</span>
          <textarea
            className={controls["area"]}
            value={text}
            rows={10}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <div className={styles["known"]}>
          <label className={controls["field"]}>
            <span>{errors.provider}</span>
            <input
              className={controls["input"]}
              value={provider}
              list="known-providers"
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setProvider(event.target.value)}
            />
          </label>
          <datalist id="known-providers">
            {PROVIDERS.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <label className={controls["field"]}>
            <span>{errors.status}</span>
            <input
              className={controls["input"]}
              value={statusText}
              inputMode="numeric"
              autoComplete="off"
              aria-invalid={status === undefined}
              aria-describedby="bad-status"
              onChange={(event) => setStatusText(event.target.value)}
            />
          </label>
          {text !== "" && (
            <button type="button" className={controls["button"]} onClick={() => fill("")}>
              {errors.clear}
            </button>
          )}
        </div>
        <p id="bad-status" className={styles["bad"]} role="status">
          {status === undefined ? errors.badStatus : ""}
        </p>
        {text === "" && (
          <div className={styles["examples"]}>
            <span>{errors.examples}</span>
            {EXAMPLE_NAMES.map((name) => (
              <button
                key={name}
                type="button"
                className={controls["button"]}
                onClick={() => fill(EXAMPLES[name])}
              >
                {errors.exampleNames[name]}
              </button>
            ))}
          </div>
        )}
      </div>
      <div className={styles["results"]}>
        <p className="hidden" role="status">
          {first === undefined ? "" : errors.named(named.length, outcomes[first.verdict.outcome])}
        </p>
        {faults.map(({ line, fault }) => (
          <p key={line} className={styles["bad"]}>
            {withCode(errors.line(line, errors.faults[fault]))}
          </p>
        ))}
        {named.map(({ id, verdict }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what is pasted has an order and no names
          <Verdict key={i} id={id} verdict={verdict} own={own} />
        ))}
        {leftOut > 0 && <p className={styles["soft"]}>{withCode(errors.leftOut(String(leftOut)))}</p>}
        {named.length + faults.length === 0 && <p className={styles["nothing"]}>{errors.nothing}</p>}
        {note !== null && <p className={styles["soft"]}>{note}</p>}
      </div>
    </section>
  );
}
