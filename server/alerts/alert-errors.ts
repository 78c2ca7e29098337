import { AppError } from "../http/app-error.ts";

export const noSuchAlert = () =>
  new AppError({ status: 404, code: "no_such_alert", title: "There is no such alert" });

export const noSuchRule = () =>
  new AppError({ status: 404, code: "no_such_rule", title: "There is no such rule" });

export const noSuchSilence = () =>
  new AppError({ status: 404, code: "no_such_silence", title: "There is no such silence" });

export const noSuchWindow = () =>
  new AppError({
    status: 404,
    code: "no_such_maintenance_window",
    title: "There is no such maintenance window",
  });

export const alertIsOver = (endedAt: Date) =>
  new AppError({
    status: 409,
    code: "alert_over",
    title: "The alert is over",
    detail: `It was over at ${endedAt.toISOString()}.`,
  });

export const silenceIsOver = (until: Date) =>
  new AppError({
    status: 409,
    code: "silence_over",
    title: "The silence is over",
    detail: `It ended at ${until.toISOString()}. Make a new one.`,
  });

/** For the second of two editors. */
export const changedMeanwhile = (what: string, version: number, current: number) =>
  new AppError({
    status: 409,
    code: "changed_meanwhile",
    title: `Somebody else changed the ${what} in the meantime`,
    detail: `Version ${version} was changed; it is version ${current} now. Look at that, and change it.`,
  });
