import { type Job, runJob } from "./contest.ts";

// Errors are made by the hundred thousand here, and nobody reads where they came from.
Error.stackTraceLimit = 0;
// Cockatiel listens to one signal for as long as a circuit is there; that is said once per day and circuit.
process.removeAllListeners("warning");
process.on("warning", ({ name, message }) => {
  if (name !== "MaxListenersExceededWarning") console.error(`${name}: ${message}`);
});

process.on("message", (job: Job) => {
  runJob(job).then(
    (figures) => process.send?.(figures),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
