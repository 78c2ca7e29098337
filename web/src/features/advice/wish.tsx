import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { usePageParam } from "../../components/use-page-param.ts";
import styles from "./advice-page.module.css";

const LENGTHS = [1, 2, 3, 4, 6, 8, 12];
const USUAL_LENGTH = 3;
/** Hours in which work may run, for whom all hours will not do. */
const ALLOWED = ["8-20", "9-17", "20-8", "18-9", "0-6"];

export interface Wish {
  readonly hours: number;
  readonly allowed: string | null;
}

/** What the address wishes, as far as it can be answered: a window must fit into the allowed hours. */
export function readWish(length: string | null, allowed: string | null): Wish {
  const hours = LENGTHS.find((one) => String(one) === length) ?? USUAL_LENGTH;
  return { hours, allowed: ALLOWED.find((one) => one === allowed && lengthOf(one) >= hours) ?? null };
}

function lengthOf(allowed: string): number {
  const [from = 0, to = 0] = allowed.split("-").map(Number);
  return (to - from + 24) % 24;
}

/** How long it takes, and when it may run. */
export function WishControls() {
  const { advice } = useMessages();
  const { formats } = useView();
  const [length, setLength] = usePageParam("hours");
  const [allowed, setAllowed] = usePageParam("allowed");
  const wish = readWish(length, allowed);
  const describe = (one: string) => {
    const [from = 0, to = 0] = one.split("-").map(Number);
    return advice.between(formats.hour(from), formats.hour(to));
  };
  return (
    <div className={styles["wish"]}>
      <label className={controls["field"]}>
        <span>{advice.length}</span>
        <select
          className={controls["select"]}
          value={wish.hours}
          onChange={(event) => setLength(event.target.value === "3" ? null : event.target.value)}
        >
          {LENGTHS.map((hours) => (
            <option key={hours} value={hours}>
              {advice.lengthOf(hours)}
            </option>
          ))}
        </select>
      </label>
      <label className={controls["field"]}>
        <span>{advice.allowed}</span>
        <select
          className={controls["select"]}
          value={wish.allowed ?? ""}
          onChange={(event) => setAllowed(event.target.value)}
        >
          <option value="">{advice.anytime}</option>
          {ALLOWED.filter((one) => lengthOf(one) >= wish.hours).map((one) => (
            <option key={one} value={one}>
              {describe(one)}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
