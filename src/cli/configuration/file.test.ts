import { afterEach, expect, it, vi } from "vitest";
import { readDocument } from "./file.ts";

afterEach(() => vi.unstubAllEnvs());

const channel = (name: string) => `
version: 1
channels:
  - { name: On-call, type: slack, config: { webhook_url: { $secret: ${name} } } }
`;

it("a configuration file is parsed as YAML or JSON", () => {
  const json = JSON.stringify({ version: 1, contracts: [{ chain: "local", address: "0x1" }] });
  expect(readDocument(json)).toEqual(
    readDocument("version: 1\ncontracts: [{ chain: local, address: '0x1' }]"),
  );
  expect(readDocument(json, true).prune).toBe(true);
});

it("only the secrets that the document references are read from the environment", () => {
  vi.stubEnv("CHANNEL_ON_CALL_WEBHOOK_URL", "https://hooks.slack.com/services/T0/B0/X0");
  vi.stubEnv("CHANNEL_OTHER", "unasked");
  expect(readDocument(channel("CHANNEL_ON_CALL_WEBHOOK_URL")).secrets).toEqual({
    CHANNEL_ON_CALL_WEBHOOK_URL: "https://hooks.slack.com/services/T0/B0/X0",
  });
  expect(readDocument(channel("CHANNEL_NOWHERE")).secrets).toEqual({});
});

it.each(["DATABASE_URL", "SECRETS_KEY", "RPC_ETHEREUM"])(
  "a document cannot reference the setting %s as a secret",
  (name) => {
    vi.stubEnv(name, "hush");
    expect(() => readDocument(channel(name))).toThrow(`${name} is a setting of Tocsin`);
  },
);

it.each([
  ["an unknown field", "version: 1\ncolour: red", /colour: is not a known field/],
  ["what is neither JSON nor YAML", "version: [1", /neither JSON nor YAML/],
  ["nothing", "", /cannot be applied/],
  ["a field twice", "version: 1\nversion: 1", /neither JSON nor YAML/],
  ["aliases that grow without end", ["a: &a [1]", ...Array.from({ length: 9 }, bomb)].join("\n"), /alias/i],
])("an invalid document is rejected with its problem: %s", (_what, text, sentence) => {
  expect(() => readDocument(text)).toThrow(sentence);
});

/** Each list is ten times the one before. */
function bomb(_: unknown, level: number): string {
  const [before, name] = [level, level + 1].map((n) => String.fromCharCode(97 + n));
  return `${name}: &${name} [${Array(10).fill(`*${before}`).join(", ")}]`;
}
