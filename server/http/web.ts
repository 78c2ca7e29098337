import path from "node:path";
import express, { Router } from "express";

/** The built pages. Files named by their content are kept for a year; every other path is the app's own. */
export function serveWeb(folder: string): Router {
  const router = Router();
  router.use(
    "/assets",
    express.static(path.join(folder, "assets"), { immutable: true, maxAge: "1y", index: false }),
  );
  router.use(express.static(folder, { index: false, maxAge: 0 }));
  router.get(/^\/(?!api\/|v1\/)[^.]*$/, (_req, res) => {
    res.set("Cache-Control", "no-cache");
    res.sendFile("index.html", { root: folder });
  });
  return router;
}
