import { askFirstView } from "./app/ask-first-view.ts";

// A script of its own, small and first: see vite.config.ts.
askFirstView(location).catch(() => {});
