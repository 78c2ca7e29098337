import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { PlanVersion } from "../../../../server/contract/plan.ts";
import { ApiError } from "../../api/api-error.ts";
import { toPath } from "../../api/paths.ts";
import { type PlanWithDocument, planDiffQuery, planQuery, replayQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useScope } from "../../app/use-scope.ts";
import { useIsAdmin, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Form, Refusal } from "../../components/form.tsx";
import layout from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { TextField } from "../../components/text-field.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import { Changes } from "./changes.tsx";
import { PlanFacts } from "./plan-facts.tsx";
import { ReplayedChains } from "./replayed-chains.tsx";
import { useRouting } from "./use-routing.ts";

/** One version: what it says, what it changes, what last week would have been with it, and publishing it. */
export function VersionPanels() {
  const words = useRouting().version;
  const { project, formats } = useView();
  const { link } = useScope();
  const [text] = usePageParam("version");
  const version = Number(text ?? "0");
  const plan = useQuery(planQuery(project.slug, version));
  const found = plan.data?.plan ?? null;
  const when = (instant: string) => formats.dateTime(Date.parse(instant));
  const note =
    found === null
      ? undefined
      : found.publishedAt === null
        ? words.draftBy(found.author.name, when(found.createdAt))
        : words.publishedBy((found.publisher ?? found.author).name, when(found.publishedAt));
  return (
    <>
      <Panel
        title={words.title(version)}
        {...(note === undefined ? {} : { note })}
        state={plan}
        skeleton="middle"
        isEmpty={(data) => data.plan === null}
        empty={words.missing}
      >
        {(data) => data.plan !== null && <Facts plan={data.plan} />}
      </Panel>
      {found !== null && (
        <>
          <ChangesPanel plan={found} />
          <ReplayPanel plan={found} />
          {found.state !== "published" && <PublishPanel key={version} plan={found} />}
        </>
      )}
      <Link href={link("/routing")}>{words.back}</Link>
    </>
  );
}

function Facts({ plan: { version, document, reason, copyOf } }: { plan: PlanWithDocument }) {
  const words = useRouting().version;
  const { link } = useScope();
  return (
    <>
      {reason !== null && (
        <p>
          “{reason}”{copyOf !== null && ` · ${words.copyOf(copyOf)}`}
        </p>
      )}
      <PlanFacts document={document}>
        <Link href={link("/routing/edit", {}, { version })} className={controls["button"]}>
          {words.edit}
        </Link>
      </PlanFacts>
    </>
  );
}

/** Against what is in force; of that itself, against what it was made from. */
function ChangesPanel({ plan: { version, state, basedOn } }: { plan: PlanWithDocument }) {
  const words = useRouting().version;
  const { project } = useView();
  const isInForce = state === "published";
  const diff = useQuery(planDiffQuery(project.slug, version, isInForce ? (basedOn ?? 0) : null));
  const base = diff.data?.base;
  const note = base === undefined ? {} : { note: isInForce ? words.since(base) : words.against(base) };
  return (
    <Panel
      title={words.changes}
      {...note}
      state={diff}
      skeleton="low"
      isEmpty={(data) => data.changes.length === 0}
      empty={words.same}
    >
      {(data) => <Changes changes={data.changes} />}
    </Panel>
  );
}

function ReplayPanel({ plan: { document } }: { plan: PlanWithDocument }) {
  const words = useRouting().version;
  const { project } = useView();
  const replay = useQuery(replayQuery(project.slug, document));
  return (
    <Panel
      title={words.replay}
      note={words.replayNote}
      state={replay}
      skeleton="middle"
      isEmpty={(data) => data.chains.length === 0}
      empty={words.replayEmpty}
    >
      {(data) => <ReplayedChains replay={data} />}
    </Panel>
  );
}

function PublishPanel({ plan: { version, state, reason: purpose } }: { plan: PlanWithDocument }) {
  const words = useRouting().version;
  const { project } = useView();
  const isAdmin = useIsAdmin();
  const isDraft = state === "draft";
  const current = useQuery(planQuery(project.slug));
  const [reason, setReason] = useState(isDraft ? (purpose ?? "") : "");
  const { link } = useScope();
  const [, navigate] = useLocation();
  // What was overtaken, or is published again, gets a number of its own.
  const publish = useChange<PlanVersion>((made) =>
    navigate(link("/routing/version", {}, { version: made.version }), { replace: true }),
  );
  const isConflict = publish.error instanceof ApiError && publish.error.status === 409;
  return (
    <Panel
      title={isDraft ? words.publishTitle : words.again}
      note={words.publishNote}
      state={current}
      skeleton="low"
    >
      {(data) =>
        isAdmin ? (
          <>
            <Form
              onSubmit={() =>
                publish.mutate({
                  method: "POST",
                  path: toPath(isDraft ? "/api/plans/publish" : "/api/plans/rollback", {
                    project: project.slug,
                  }),
                  body: { version, basedOn: data.plan?.version ?? 0, reason },
                })
              }
            >
              <TextField
                label={words.reason}
                hint={words.reasonHint}
                value={reason}
                onChange={setReason}
                required
                maxLength={500}
              />
              <button type="submit" className={controls["primary"]} disabled={publish.isPending}>
                {isDraft ? words.publish : words.again}
              </button>
            </Form>
            <Refusal error={publish.error} />
            {isConflict && <p className={layout["soft"]}>{words.conflict}</p>}
          </>
        ) : (
          <p className={layout["soft"]}>{words.adminsPublish}</p>
        )
      }
    </Panel>
  );
}
