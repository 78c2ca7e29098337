import { describe, expect, it } from "vitest";
import * as contract from "../../../../../server/contract/status.ts";
import * as draft from "./draft.ts";

const target = (model: string, endpoint: string | null = null) => ({ provider: "p", model, endpoint });
const answer: contract.StatusPageAnswer = {
  page: {
    slug: "acme",
    isPublic: false,
    isIndexed: false,
    showsVolumes: false,
    name: { en: "Acme", zh: "" },
    about: { en: "", zh: "" },
    homeUrl: null,
    url: "https://example.com/status/acme",
    isSaved: true,
  },
  components: [
    {
      id: "abc",
      name: { en: "Chat", zh: "" },
      about: { en: "", zh: "" },
      mode: "both",
      targets: [target("big")],
      stated: { state: "busy", since: "2026-11-29T12:00:00Z" },
    },
  ],
  suggestions: [
    { name: "small", targets: [target("small")] },
    { name: "big", targets: [target("big")] },
  ],
};

const { addSuggestions, listChoices, moveItem, newComponent, toBody, toDraft } = draft;

describe("the lists of choices", () => {
  it("are those of the contract", () => {
    expect(draft.MODES).toEqual(contract.COMPONENT_MODES);
    expect(draft.WORDS).toEqual(contract.STATUS_WORDS);
    expect(draft.IMPACTS).toEqual(contract.IMPACTS);
    expect(draft.INCIDENT_STATES).toEqual(contract.INCIDENT_STATES);
    expect(draft.MAINTENANCE_STATES).toEqual(contract.MAINTENANCE_STATES);
  });
});

describe("the draft of a status page", () => {
  it("goes back as it came, without what is not set by it", () => {
    expect(toBody(toDraft(answer))).toEqual({
      slug: "acme",
      isPublic: false,
      isIndexed: false,
      showsVolumes: false,
      name: { en: "Acme", zh: "" },
      about: { en: "", zh: "" },
      homeUrl: null,
      components: [
        {
          id: "abc",
          name: { en: "Chat", zh: "" },
          about: { en: "", zh: "" },
          mode: "both",
          targets: [target("big")],
        },
      ],
    });
  });

  it("gives new components no id", () => {
    const changed = { ...toDraft(answer), homeUrl: " https://a.example ", components: [newComponent("k")] };
    const body = toBody(changed);
    expect(body.homeUrl).toBe("https://a.example");
    expect(body.components[0]).not.toHaveProperty("id");
    expect(body.components[0]).not.toHaveProperty("key");
  });

  it("takes suggestions that no component stands for yet", () => {
    let keys = 0;
    const { components } = addSuggestions(toDraft(answer), answer.suggestions, () => `k${++keys}`);
    expect(components.map(({ key, name }) => [key, name.en])).toEqual([
      ["abc", "Chat"],
      ["k1", "small"],
    ]);
  });

  it("offers a model as a whole, and its endpoints where there are several", () => {
    const models = [
      { provider: "p", model: "a", endpoint: "" },
      { provider: "p", model: "b", endpoint: "eu" },
      { provider: "p", model: "b", endpoint: "us" },
    ];
    expect(listChoices(models)).toEqual([target("a"), target("b"), target("b", "eu"), target("b", "us")]);
  });

  it("moves items", () => {
    expect(moveItem(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
    expect(moveItem(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  });
});
