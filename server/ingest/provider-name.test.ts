import { describe, expect, it } from "vitest";
import { toHost, toProviderName } from "./provider-name.ts";

describe("toProviderName", () => {
  const names: readonly [given: string, name: string][] = [
    ["openai", "openai"],
    ["OpenAI", "openai"],
    ["openai.chat", "openai"],
    ["openai.responses", "openai"],
    ["anthropic.messages", "anthropic"],
    ["google.generative-ai", "google"],
    ["google.vertex.chat", "vertex"],
    ["gcp.vertex_ai", "vertex"],
    ["vertex.anthropic.messages", "vertex"],
    ["vertex_ai", "vertex"],
    ["aws.bedrock", "bedrock"],
    ["bedrock", "bedrock"],
    ["azure.ai.openai", "azure"],
    ["azure", "azure"],
    ["x_ai", "xai"],
    ["xai", "xai"],
    ["acme.chat", "acme"],
    ["acme.eu", "acme.eu"],
    ["llm.internal:8443", "llm.internal:8443"],
  ];
  it("gives each provider one name, and leaves unknown ones as they are", () => {
    expect(names.map(([given]) => [given, toProviderName(given)])).toEqual(names);
  });
});

describe("toHost", () => {
  it("takes the host out of addresses of any form, and nothing else", () => {
    expect(
      [
        "https://u:p@api.acme.dev:8443/v1?key=1#x",
        "api.acme.dev",
        "api.acme.dev/v1",
        "http://h",
        "not a host",
        "",
      ].map(toHost),
    ).toEqual(["api.acme.dev:8443", "api.acme.dev", "api.acme.dev", "h", null, null]);
  });
});
