import { useState } from "react";
import { toPath } from "../../api/paths.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/form.tsx";
import { useQueueWords } from "./use-queue-words.ts";

/** What is asked of the server, once it was confirmed. */
export interface JobChange {
  readonly kind: "cancel" | "retry";
  /** What it is done to. */
  readonly name: string;
  readonly choice: {
    readonly ids?: readonly number[];
    readonly queue?: string;
    readonly submitter?: string;
  };
}

interface Outcome {
  readonly cancelled?: number;
  readonly asked?: number;
  readonly retried?: number;
  readonly untouched: number;
  readonly isMore: boolean;
}

/** Asks first, then says what became of it. Of very many so many are taken at a time. */
export function ChangeDialog({ change, onClose }: { change: JobChange; onClose: () => void }) {
  const words = useQueueWords();
  const { close } = useMessages();
  const { project } = useView();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const send = useChange<Outcome>(setOutcome);
  const isCancel = change.kind === "cancel";
  const isAll = change.choice.ids === undefined;
  const canSend = outcome === null || outcome.isMore;
  const { cancelTitle, retryTitle, cancelText, retryText, evenHidden, cancelIt, retryIt, goOn } =
    words.change;
  return (
    <Dialog
      title={isCancel ? cancelTitle(change.name) : retryTitle(change.name)}
      closeText={outcome === null ? words.keep : close}
      onClose={onClose}
    >
      {outcome === null && (
        <p>
          {isCancel ? cancelText : retryText}
          {isCancel && isAll && ` ${evenHidden}`}
        </p>
      )}
      <p role="status">{outcome !== null && <Told outcome={outcome} />}</p>
      {canSend && (
        <button
          type="button"
          className={isCancel ? controls["danger"] : controls["primary"]}
          disabled={send.isPending}
          onClick={() =>
            send.mutate({
              method: "POST",
              path: toPath(`/v1/jobs/${change.kind}`, { project: project.slug }),
              body: change.choice,
            })
          }
        >
          {outcome !== null ? goOn : isCancel ? cancelIt : retryIt}
        </button>
      )}
      <Refusal error={send.error} />
    </Dialog>
  );
}

function Told({ outcome }: { outcome: Outcome }) {
  const { change } = useQueueWords();
  const { formats } = useView();
  const { cancelled, asked = 0, retried = 0, untouched, isMore } = outcome;
  return (
    <>
      {cancelled === undefined
        ? change.retried(formats.count(retried))
        : change.cancelled(formats.count(cancelled), formats.count(asked))}
      {untouched > 0 && change.untouched(formats.count(untouched))}
      {isMore && ` ${change.more}`}
    </>
  );
}
