export { type Interrupt, stopOnInterrupt } from "./interrupt.ts";
export { readLines, readNdjson } from "./read-items.ts";
export { type ResultFileOptions, readResults, resultFile } from "./result-file.ts";
