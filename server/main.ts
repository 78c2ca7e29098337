declare const BUSYHOUR_VERSION: string | undefined;

const argv = process.argv.slice(2);
const version = typeof BUSYHOUR_VERSION === "undefined" ? "development" : BUSYHOUR_VERSION;

// Only what is asked for is loaded: the server's packages take longer to load than a classification takes.
if (argv[0] === "classify") {
  const { classifyMain } = await import("./cli/classify-main.ts");
  await classifyMain(argv, version);
} else {
  const { main } = await import("./cli/main.ts");
  await main(argv, version);
}

export {};
