import { describe, expect, it } from "vitest";
import { readSettings, SettingsError } from "./env.ts";

describe("readSettings", () => {
  it("binds to the loopback and keeps 400 days unless told otherwise", () => {
    expect(readSettings({ HOME: "/home/someone" })).toMatchObject({
      host: "127.0.0.1",
      port: 8420,
      databaseUrl: undefined,
      adminToken: undefined,
      roles: ["http", "jobs"],
      rawRetentionDays: 400,
    });
  });

  it("takes an empty variable for unset", () => {
    expect(readSettings({ PORT: "", DATABASE_URL: "", HOME: "/h" })).toMatchObject({
      port: 8420,
      databaseUrl: undefined,
    });
  });

  it("names all faults at once, without repeating a secret", () => {
    const faulty = {
      PORT: "80000",
      BUSYHOUR_ROLES: "http,cron",
      BUSYHOUR_ADMIN_TOKEN: "tooshort1",
      BUSYHOUR_RAW_RETENTION_DAYS: "1.5",
    };
    expect(() => readSettings(faulty)).toThrow(SettingsError);
    try {
      readSettings(faulty);
    } catch (error) {
      const message = String(error);
      for (const name of Object.keys(faulty)) expect(message).toContain(name);
      expect(message).not.toContain("tooshort1");
    }
  });
});
