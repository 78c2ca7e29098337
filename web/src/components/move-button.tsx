import controls from "./controls.module.css";
import { LineIcon } from "./icons.tsx";
import styles from "./move-button.module.css";

export interface MoveButtonProps {
  readonly isUp?: boolean;
  readonly label: string;
  readonly isOff: boolean;
  readonly onClick: () => void;
}

/** Moves a thing of a list by one place. Stays focusable at the end of the list, where it has nothing to do. */
export function MoveButton({ isUp = false, label, isOff, onClick }: MoveButtonProps) {
  return (
    <button
      type="button"
      className={`${controls["quiet"]} ${isUp ? styles["up"] : ""}`}
      aria-label={label}
      aria-disabled={isOff}
      onClick={onClick}
    >
      <LineIcon name="down" />
    </button>
  );
}
