// Mends a fault of postgres.js 3.4.9 in node_modules: when a connection breaks between a write and the moment it is
// sent, the driver writes to a socket that is gone, from a timer, so that nothing can catch it and the process ends;
// and a connection that was closed with such a timer pending never sends a short message again. Open upstream as
// porsager/postgres #1066, #1154 and #1208; to be removed with the release that mends it.
import fs from "node:fs";
import path from "node:path";

const MARK = "/* mended by busyhour */";
const CHANGES = [
  [
    "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)\n",
    `  function nextWrite(fn) { ${MARK}\n    if (socket === null) {\n      chunk = nextWriteTimer = null\n      error(Errors.connection('CONNECTION_CLOSED', options))\n      return true\n    }\n    const x = socket.write(chunk, fn)\n`,
  ],
  [
    "    clearImmediate(nextWriteTimer)\n    if (socket) {\n",
    "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket) {\n",
  ],
  [
    "    clearImmediate(nextWriteTimer)\n    socket.removeListener('data', data)\n",
    "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener('data', data)\n",
  ],
];

/** Does nothing when it was done before. @throws Error when the driver is not the one that this was written for */
export function patchDriver(root) {
  const folder = path.join(root, "node_modules", "postgres");
  const file = path.join(folder, "src", "connection.js");
  const text = fs.readFileSync(file, "utf8");
  if (text.includes(MARK)) return;
  let mended = text;
  for (const [before, after] of CHANGES) {
    if (mended.split(before).length !== 2) {
      const { version } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
      throw new Error(`bin/patch-driver.mjs does not fit postgres ${version}: is the fault mended there?`);
    }
    mended = mended.replace(before, () => after);
  }
  fs.writeFileSync(`${file}.new`, mended);
  fs.renameSync(`${file}.new`, file);
}
