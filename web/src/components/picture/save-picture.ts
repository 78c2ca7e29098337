import type { Formats } from "../../messages/formats.ts";
import { saveFile } from "../share-out.ts";
import { toFileName } from "../table-data.ts";
import type { Picture } from "./picture.ts";
import { type Framed, toSvg } from "./to-svg.ts";

/** Twice the size of the screen's pixels: sharp on fine screens and in slides. */
const SCALE = 2;

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Gives what a panel draws to the browser as a file to keep. */
export async function savePicture(
  kind: "svg" | "png",
  picture: Picture,
  title: string,
  formats: Formats,
): Promise<void> {
  const framed = toSvg(picture, title, formats, token);
  const name = toFileName(title, Date.now(), kind);
  const svg = new Blob([framed.svg], { type: "image/svg+xml" });
  saveFile(kind === "svg" ? svg : await toPng(framed), name);
}

async function toPng({ svg, width, height }: Framed): Promise<Blob> {
  const image = new Image(width, height);
  // What the page may load as a picture is its own or data.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser draws no pictures");
  context.scale(SCALE, SCALE);
  context.drawImage(image, 0, 0, width, height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the picture is empty")) : resolve(blob)));
  });
}
