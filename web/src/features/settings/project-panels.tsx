import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedProject } from "../../../../server/contract/access.ts";
import { toPath } from "../../api/paths.ts";
import { projectsQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Dialog } from "../../components/dialog.tsx";
import { Form, Refusal } from "../../components/form.tsx";
import layout from "../../components/page.module.css";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { TextField } from "../../components/text-field.tsx";
import { listTimeZones } from "../../time/zone.ts";
import { QueueSettingsPanel } from "./queue-panel.tsx";

export function ProjectPanels() {
  const { settings } = useMessages();
  const { project } = useView();
  const projects = useQuery(projectsQuery());
  return (
    <>
      <Panel title={settings.project.title} note={project.slug} state={projects} skeleton="low">
        {() => <ProjectForm key={`${project.slug} ${project.name} ${project.timeZone}`} project={project} />}
      </Panel>
      <QueueSettingsPanel />
      {project.role === "owner" && <ProjectsPanel />}
    </>
  );
}

function ProjectForm({ project }: { project: ListedProject }) {
  const { settings } = useMessages();
  const words = settings.project;
  const [name, setName] = useState(project.name);
  const [timeZone, setZone] = useState(project.timeZone);
  const save = useChange();
  const isSame = name.trim() === project.name && timeZone === project.timeZone;
  return (
    <>
      <Form
        onSubmit={() =>
          save.mutate({
            method: "PATCH",
            path: toPath("/api/project", { project: project.slug }),
            body: { name, timeZone },
          })
        }
      >
        <TextField label={words.name} value={name} onChange={setName} required maxLength={100} />
        <Choice
          label={words.zone}
          value={timeZone}
          options={listTimeZones(timeZone).map((zone) => [zone, zone])}
          onChange={setZone}
        />
        <button type="submit" className={controls["primary"]} disabled={isSame || save.isPending}>
          {settings.save}
        </button>
      </Form>
      <p className={layout["soft"]}>{words.zoneHint}</p>
      <Refusal error={save.error} />
    </>
  );
}

function ProjectsPanel() {
  const { settings } = useMessages();
  const words = settings.project;
  const { formats } = useView();
  const { link } = useScope();
  const projects = useQuery(projectsQuery());
  const [removing, setRemoving] = useState<ListedProject | null>(null);
  const toRow = (project: ListedProject) => ({
    id: project.slug,
    cells: [
      <a key="open" href={link("/", { project: project.slug, target: null })}>
        {project.name}
      </a>,
      <code key="slug">{project.slug}</code>,
      project.timeZone,
      formats.day(Date.parse(project.createdAt)),
      project.slug === "default" || project.isSample ? null : (
        <button
          key="remove"
          type="button"
          className={controls["danger"]}
          aria-label={words.removeLabel(project.name)}
          onClick={() => setRemoving(project)}
        >
          {words.remove}
        </button>
      ),
    ],
  });
  return (
    <>
      <Panel title={words.allTitle} note={words.allNote} state={projects} skeleton="low">
        {(data) => (
          <RowsTable
            label={words.allTitle}
            heads={Object.values(words.columns)}
            rows={data.projects.map(toRow)}
          />
        )}
      </Panel>
      <NewProject />
      {removing !== null && <RemoveDialog project={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function NewProject() {
  const { settings } = useMessages();
  const words = settings.project;
  const { change } = useScope();
  const projects = useQuery(projectsQuery());
  const [name, setName] = useState("");
  const [slug, setSlug] = useState("");
  const create = useChange<{ slug: string }>((made) => change({ project: made.slug, target: null }));
  return (
    <Panel title={words.createTitle} state={projects} skeleton="low">
      {() => (
        <>
          <Form
            onSubmit={() =>
              create.mutate({
                method: "POST",
                path: "/api/projects",
                body: { name, slug, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
              })
            }
          >
            <TextField label={words.name} value={name} onChange={setName} required maxLength={100} />
            <TextField
              label={words.slug}
              hint={words.slugHint}
              value={slug}
              onChange={setSlug}
              required
              maxLength={40}
              pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
            />
            <button type="submit" className={controls["button"]} disabled={create.isPending}>
              {words.create}
            </button>
          </Form>
          <Refusal error={create.error} />
        </>
      )}
    </Panel>
  );
}

function RemoveDialog({ project, onClose }: { project: ListedProject; onClose: () => void }) {
  const { settings } = useMessages();
  const words = settings.project;
  const { project: current } = useView();
  const { change } = useScope();
  const [typed, setTyped] = useState("");
  const remove = useChange(() => {
    onClose();
    if (current.slug === project.slug) change({ project: "default", target: null });
  });
  return (
    <Dialog title={words.removeTitle(project.name)} closeText={settings.cancel} onClose={onClose}>
      <p>{words.removeText}</p>
      <TextField label={project.slug} value={typed} onChange={setTyped} />
      <Refusal error={remove.error} />
      <button
        type="button"
        className={controls["danger"]}
        disabled={typed !== project.slug || remove.isPending}
        onClick={() => remove.mutate({ method: "DELETE", path: `/api/projects/${project.slug}` })}
      >
        {words.remove}
      </button>
    </Dialog>
  );
}
