import fs from "node:fs";
import path from "node:path";
import express, { type RequestHandler, Router } from "express";

/** The built pages. Files named by their content are kept for a year; every other path is the app's own. */
export function serveWeb(folder: string): Router {
  const assets = path.join(folder, "assets");
  const router = Router();
  router.use("/assets", preferPacked(assets));
  router.use("/assets", express.static(assets, { immutable: true, maxAge: "1y", index: false }));
  router.use(express.static(folder, { index: false, maxAge: 0 }));
  router.get(/^\/(?!(?:api|v1|assets)(?:\/|$))/, (req, res, next) => {
    // A name with a dot is a file's, unless somebody wants to see a page.
    if (req.path.includes(".") && !(req.headers.accept ?? "").includes("text/html")) return next();
    res.set("Cache-Control", "no-cache");
    res.sendFile("index.html", { root: folder });
  });
  return router;
}

/** What the build has packed beside a file, best first. */
const PACKED = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Gives the packed twin of a file to whoever can unpack it. */
function preferPacked(folder: string): RequestHandler {
  const files = new Set(fs.existsSync(folder) ? fs.readdirSync(folder) : []);
  return (req, res, next) => {
    const name = req.path.slice(1);
    const there = PACKED.filter(([, ending]) => files.has(name + ending));
    if (there.length > 0) {
      res.vary("Accept-Encoding");
      const found = there.find(([encoding]) => req.acceptsEncodings(encoding) === encoding);
      if (found !== undefined) {
        res.type(path.extname(name));
        res.set("Content-Encoding", found[0]);
        req.url = `/${name}${found[1]}`;
      }
    }
    next();
  };
}
