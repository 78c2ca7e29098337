import { type TableData, toCsv, toFileName, toJson } from "./table-data.ts";

/** Gives a table to the browser as a file to keep. */
export function saveTable(table: TableData, kind: "csv" | "json"): void {
  // Excel takes UTF-8 for UTF-8 only after a byte order mark.
  const csv = () => new Blob(["\uFEFF", toCsv(table)], { type: "text/csv;charset=utf-8" });
  const json = () => new Blob([toJson(table)], { type: "application/json" });
  saveFile(kind === "csv" ? csv() : json(), toFileName(table.title, Date.now(), kind));
}

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Whether the text is in the clipboard now. Pages from plain HTTP on another machine have no clipboard API. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    field.style.opacity = "0";
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    return isCopied;
  }
}

/** The address of what is shown, with the project and the zone in it, so that it shows the same to others. */
export function toSharedUrl(href: string, project: string, zone: string): string {
  const url = new URL(href);
  url.searchParams.set("project", project);
  url.searchParams.set("zone", zone);
  for (const own of ["theme", "lang"]) url.searchParams.delete(own);
  return url.href;
}
