declare const BUSYHOUR_VERSION: string | undefined;

const argv = process.argv.slice(2);
const version = typeof BUSYHOUR_VERSION === "undefined" ? "development" : BUSYHOUR_VERSION;

// Only what is asked for is loaded: the server's packages take longer to load than a classification takes.
if (argv[0] === "classify" || argv[0] === "batch") {
  const { aloneMain } = await import("./cli/alone-main.ts");
  await aloneMain(argv, version);
} else {
  const { main } = await import("./cli/main.ts");
  await main(argv, version);
}

export {};
