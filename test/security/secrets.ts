/** Stands in every planted secret but ids of digits alone: wherever it turns up, something leaked. */
export const CORE = "zqxplant";
/** What to look for besides: secrets that have no room for the word. */
export const NEEDLES: readonly string[] = [CORE, "c0ffee42f00d", "90210555190210"];

/** Keys, tokens, mail addresses, headers and ids: they may stand anywhere. */
export const TOKENS: readonly string[] = [
  `sk-proj-${CORE}A1b2C3d4E5f6G7h8`,
  `Bearer ${CORE}.A1b2C3d4E5f6G7h8`,
  `Authorization: ${CORE}A1b2C3d4`,
  `x-api-key: ${CORE}A1b2C3d4E5`,
  `eyJhbGciOiJIUzI1NiJ9.${CORE}A1b2.c2lnbmF0dXJl`,
  `AKIA${CORE.toUpperCase()}A1B2C3D4`,
  `https://admin:${CORE}@llm.example/v1?key=${CORE}#${CORE}`,
  `${CORE}.person@corp.example`,
];

/** Ids of requests, people and organizations; a label may look like one, so they are planted in texts. */
export const IDS: readonly string[] = [
  `req_${CORE}0123456789`,
  `org-${CORE}0123456789`,
  `user_${CORE}0123456789`,
  "7a717870-6c61-4e74-8abc-c0ffee42f00d",
  "account 90210555190210",
];

export const PROMPT = `please tell my friend ${CORE} that the blue suitcase with the contract is under the bed`;
export const ANSWER = `of course, I will tell ${CORE} where the suitcase is and that nobody else may know of it`;

/** The words of failures that carry along what the caller sent. */
export const ECHOES: readonly string[] = [
  `Invalid value: '${PROMPT}'. Supported values are: 'system' and 'user'.`,
  `Invalid prompt: "${PROMPT}" was flagged as potentially violating our usage policy`,
  `Could not parse \`${PROMPT}\` as JSON`,
  `Incorrect API key provided: sk-proj-${CORE}A1b2C3d4. You can find your API key in the settings.`,
  `400 {"error":{"message":"Bad request","type":"invalid_request_error"},"messages":[{"role":"user","content":"${PROMPT}"}]}`,
  `{"error":{"message":"The model is overloaded"},"input":"${PROMPT}","output":{"text":"${ANSWER}"}}`,
  `1 validation error for Chat: input_value='${PROMPT}', input_type=str`,
];

/** All of it, for fields of which nothing at all is kept. */
export const EVERYTHING: readonly string[] = [...TOKENS, ...IDS, PROMPT, ANSWER, ...ECHOES];
