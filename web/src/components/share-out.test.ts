import { expect, it } from "vitest";
import { toSharedUrl } from "./share-out.ts";

it("makes a link that shows the same to somebody in another zone", () => {
  expect(toSharedUrl("http://localhost:8420/models?theme=dark&range=7d#x", "sample", "Europe/Berlin")).toBe(
    "http://localhost:8420/models?range=7d&project=sample&zone=Europe%2FBerlin#x",
  );
});
