import { main } from "./cli/main.ts";

declare const BUSYHOUR_VERSION: string | undefined;

await main(process.argv.slice(2), typeof BUSYHOUR_VERSION === "undefined" ? "development" : BUSYHOUR_VERSION);
