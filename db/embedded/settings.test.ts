import { expect, test } from "vitest";
import { chooseSettings, formatSettings } from "./settings.ts";

test("is durable and silent by default", () => {
  expect(chooseSettings(18, {}, "linux")).toMatchObject({
    fsync: "on",
    synchronous_commit: "on",
    listen_addresses: "",
    io_method: "sync",
    recovery_init_sync_method: "syncfs",
  });
});

test("leaves out what older versions and other systems don't know", () => {
  expect(chooseSettings(17, {}, "darwin")).not.toHaveProperty("io_method");
  expect(chooseSettings(17, {}, "darwin")).not.toHaveProperty("recovery_init_sync_method");
});

test("lets the caller's settings win", () => {
  expect(chooseSettings(18, { max_connections: 7, "auto_explain.log_min_duration": 5 })).toMatchObject({
    max_connections: 7,
    "auto_explain.log_min_duration": 5,
  });
});

test.each(["", "max-connections", "a=b", "a b", "a.b.c"])("refuses a name no setting has: %j", (name) => {
  expect(() => chooseSettings(18, { [name]: 1 })).toThrow(
    expect.objectContaining({ code: "embedded_bad_setting" }),
  );
});

test("becomes one argument per value", () => {
  expect(formatSettings({ port: 5432, log_line_prefix: "%m " })).toEqual([
    "-c",
    "port=5432",
    "-c",
    "log_line_prefix=%m ",
  ]);
});
