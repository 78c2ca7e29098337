/** Words of what a project decided of its queue: apart from those of the page, which the settings need not load. */
export const queueSettingsEn = {
  title: "Queue",
  note: "work that can wait",
  storesPayloads: "Payloads",
  stores: { off: "not stored", on: "stored, encrypted" },
  save: "Save",
  storesHint:
    "Off by default: payloads are the one place where texts of yours are kept. A reference needs none.",
  offHint: "Switched off, payloads that are stored go at once; jobs that need theirs will be dead.",
  payloadHours: "Payloads go after, hours",
  keptDays: "Finished jobs are kept, days",
  deadKeptDays: "Dead jobs are kept, days",
};
