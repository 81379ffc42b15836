import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig, settingNames } from "../config.ts";
import { OperatorError } from "../lib/operator-error.ts";
import { maskConfig } from "./mask.ts";

/** The sentence that a setting stops the start with. */
function complaint(environment: Record<string, string>): string {
  try {
    parseConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(environment)}`);
}

/** One row a setting: a value that works, how it arrives, and values that do not work. */
const rows: Record<string, { good: [string, unknown][]; field: string; bad: string[] }> = {
  PORT: {
    good: [
      ["0", 0],
      ["8081", 8081],
      ["65535", 65535],
    ],
    field: "port",
    bad: ["65536", "-1", "80.5", "http", "0x1F90", "1e3", "8080 8081"],
  },
  HOST: { good: [["0.0.0.0", "0.0.0.0"]], field: "host", bad: [] },
  PUBLIC_URL: {
    good: [["https://tocsin.example", new URL("https://tocsin.example")]],
    field: "publicUrl",
    bad: ["tocsin.example", "ftp://tocsin.example", "javascript:alert(1)", "https://"],
  },
  DATA_DIR: { good: [["./elsewhere", resolve("elsewhere")]], field: "dataDir", bad: [] },
  DATABASE_URL: {
    good: [
      ["postgres://a:b@localhost/c", "postgres://a:b@localhost/c"],
      ["postgresql://localhost", "postgresql://localhost"],
    ],
    field: "databaseUrl",
    bad: ["mysql://a:hunter2hunter2@localhost/c", "localhost:5432", "hunter2hunter2"],
  },
  REDIS_URL: {
    good: [["rediss://a:b@cache.example:6379/1", "rediss://a:b@cache.example:6379/1"]],
    field: "redisUrl",
    bad: ["cache.example:6379", "https://a:hunter2hunter2@cache.example"],
  },
  ROLES: {
    good: [
      ["all", new Set(["api", "ingest", "deliver", "jobs"])],
      ["api", new Set(["api"])],
      [" jobs , api ", new Set(["api", "jobs"])],
    ],
    field: "roles",
    bad: ["web", "api,web", ","],
  },
  PROCESSES: {
    good: [
      ["1", true],
      ["roles", false],
    ],
    field: "isSingleProcess",
    bad: ["0", "2", "all"],
  },
  LOG_LEVEL: { good: [["debug", "debug"]], field: "logLevel", bad: ["loud", "INFO"] },
  LOG_FORMAT: {
    good: [
      ["text", "text"],
      ["json", "json"],
    ],
    field: "logFormat",
    bad: ["pretty", "JSON"],
  },
  SECRETS_KEY: { good: [["a".repeat(64), "a".repeat(64)]], field: "secretsKey", bad: [] },
  NEW_SECRETS_KEY: { good: [["a".repeat(64), "a".repeat(64)]], field: "newSecretsKey", bad: [] },
  SIGNUP_MODE: { good: [["approval", "approval"]], field: "signupMode", bad: ["invite", "Open"] },
  STAFF_EMAIL: { good: [["a@b.co", "a@b.co"]], field: "staffEmail", bad: ["nobody", "a@b.co,c@d.co"] },
  SMTP_URL: {
    good: [["smtps://a:b@mail.example:465", "smtps://a:b@mail.example:465"]],
    field: "smtpUrl",
    bad: ["https://a:hunter2hunter2@mail.example", "mail.example"],
  },
  MAIL_FROM: {
    good: [["A <a@b.co>", "A <a@b.co>"]],
    field: "mailFrom",
    bad: ["a", "A <a@b.co>\r\nBcc: x@y.co"],
  },
  DEMO: {
    good: [
      ["1", true],
      ["0", false],
    ],
    field: "runsDemo",
    bad: ["yes", "true"],
  },
  OUTBOUND_ALLOW: {
    good: [["10.0.0.0/8, 127.0.0.1,::1", ["10.0.0.0/8", "127.0.0.1", "::1"]]],
    field: "outboundAllow",
    bad: ["10/8", "10.0.0.0/33", "localhost", "0.0.0.0/x"],
  },
  TELEGRAM_API_URL: {
    good: [["https://telegram.example/", "https://telegram.example"]],
    field: "telegramUrl",
    bad: ["telegram.example", "ftp://hunter2.example"],
  },
  PAGERDUTY_API_URL: {
    good: [["https://pagerduty.example", "https://pagerduty.example"]],
    field: "pagerdutyUrl",
    bad: ["pagerduty.example"],
  },
  OPSGENIE_API_URL: {
    good: [["https://opsgenie.example", "https://opsgenie.example"]],
    field: "opsgenieUrl",
    bad: ["opsgenie.example"],
  },
  OPSGENIE_EU_API_URL: {
    good: [["http://127.0.0.1:9/eu/", "http://127.0.0.1:9/eu"]],
    field: "opsgenieEuUrl",
    bad: ["opsgenie.example"],
  },
  TWILIO_API_URL: {
    good: [["https://twilio.example", "https://twilio.example"]],
    field: "twilioUrl",
    bad: ["twilio.example"],
  },
  TWILIO_ACCOUNT_SID: {
    good: [[`AC${"0".repeat(32)}`, `AC${"0".repeat(32)}`]],
    field: "twilioAccountSid",
    bad: ["AC0", "0".repeat(34)],
  },
  TWILIO_AUTH_TOKEN: {
    good: [["0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"]],
    field: "twilioAuthToken",
    bad: ["hunter2hunter2"],
  },
  SMS_ALLOW: { good: [["+1, +4930", ["+1", "+4930"]]], field: "smsAllow", bad: ["1", "+0", "+1x"] },
  TWILIO_FROM: {
    good: [
      ["+15551234567", "+15551234567"],
      [`MG${"0".repeat(32)}`, `MG${"0".repeat(32)}`],
    ],
    field: "twilioFrom",
    bad: ["15551234567", "Tocsin"],
  },
  DEFAULT_TIER: {
    good: [
      ["free", "free"],
      ["team", "team"],
    ],
    field: "defaultTier",
    bad: ["Free", "gold"],
  },
  STRIPE_SECRET_KEY: {
    good: [["sk_test_123", "sk_test_123"]],
    field: "stripe.secretKey",
    bad: ["hunter2"],
  },
  STRIPE_API_URL: {
    good: [["http://127.0.0.1:12111", new URL("http://127.0.0.1:12111")]],
    field: "stripe.url",
    bad: ["api.stripe.com", "https://hunter2.example/v1", "https://stripe.example/?a=b"],
  },
  STRIPE_WEBHOOK_SECRET: {
    good: [
      ["whsec_0123456789", ["whsec_0123456789"]],
      ["whsec_0123456789,whsec_9876543210", ["whsec_0123456789", "whsec_9876543210"]],
    ],
    field: "stripe.webhookSecrets",
    bad: ["hunter2hunter2", "whsec_0123456789,hunter2", ","],
  },
  STRIPE_PRICE_PRO: { good: [["price_1", "price_1"]], field: "stripe.prices.pro", bad: ["19.99", "a b"] },
  STRIPE_PRICE_TEAM: { good: [["price_2", "price_2"]], field: "stripe.prices.team", bad: ["99 EUR"] },
  STRIPE_PRICE_ENTERPRISE: { good: [["price_3", "price_3"]], field: "stripe.prices.enterprise", bad: ["$"] },
  HELIUS_WEBHOOK_SECRET: {
    good: [["sixteen letters!", "sixteen letters!"]],
    field: "heliusWebhookSecret",
    bad: ["hunter2hunter2"],
  },
  SOLANA_GRPC_URL: {
    good: [["https://grpc.example:10000/", "https://grpc.example:10000"]],
    field: "solanaStream.url",
    bad: ["grpc.example:10000", "hunter2"],
  },
  SOLANA_GRPC_TOKEN: { good: [["0123-4567", "0123-4567"]], field: "solanaStream.token", bad: ["hunter2"] },
  SOURCIFY_URL: {
    good: [["http://127.0.0.1:5555/server/", "http://127.0.0.1:5555/server"]],
    field: "sourcifyUrl",
    bad: ["sourcify.dev", "ftp://hunter2.example"],
  },
  ETHERSCAN_URL: {
    good: [["http://127.0.0.1:5555/v2/api", "http://127.0.0.1:5555/v2/api"]],
    field: "etherscanUrl",
    bad: ["api.etherscan.io"],
  },
  ETHERSCAN_API_KEY: { good: [["ABCDEFGH1234", "ABCDEFGH1234"]], field: "etherscanApiKey", bad: ["hunter2"] },
  SIGNATURES_URL: {
    good: [["https://api.openchain.xyz", "https://api.openchain.xyz"]],
    field: "signaturesUrl",
    bad: ["openchain"],
  },
  GROUPS_IN_MEMORY: { good: [["500", 500]], field: "groupsInMemory", bad: ["0", "many", "1.5"] },
  TRUSTED_PROXIES: { good: [["10.0.0.1", ["10.0.0.1"]]], field: "trustedProxies", bad: ["proxy", "true"] },
  METRICS_TOKEN: {
    good: [["sixteen letters!", "sixteen letters!"]],
    field: "metricsToken",
    bad: ["hunter2hunter2"],
  },
};

test("every setting has a row in this test", () => {
  expect(Object.keys(rows).sort()).toEqual([...settingNames].sort());
});

describe.each(Object.entries(rows))("%s", (name, { good, field, bad }) => {
  test.each(good)("accepts %j", (value, expected) => {
    expect(parseConfig({ [name]: value })).toHaveProperty(field, expected);
  });

  test.each(bad)("rejects %j with a sentence that names the setting", (value) => {
    const sentence = complaint({ [name]: value });
    expect(sentence).toMatch(new RegExp(`^${name} (must|is) [^\\n]+\\.$`));
    expect(sentence).not.toMatch(/Invalid|expected|Too (small|big)|hunter2/);
  });

  test("counts as unset when it is empty or blank", () => {
    expect(parseConfig({ [name]: "" })).toEqual(parseConfig({}));
    expect(parseConfig({ [name]: "  " })).toEqual(parseConfig({}));
  });

  test("is shown by doctor", () => {
    expect(maskConfig(parseConfig({ [name]: good[0]?.[0] }))).toHaveProperty([name]);
  });
});

describe("RPC_<CHAIN>", () => {
  test("accepts comma-separated URLs and enables the chain", () => {
    const { rpc } = parseConfig({ RPC_ETHEREUM: "https://a.example/key, wss://b.example", RPC_LOCAL: "" });
    expect([...rpc]).toEqual([["ethereum", ["https://a.example/key", "wss://b.example"]]]);
    expect([...parseConfig({ RPC_BASE_SEPOLIA: "http://127.0.0.1:1" }).rpc.keys()]).toEqual(["base_sepolia"]);
  });

  test("rejects an unknown chain and lists the known ones", () => {
    expect(complaint({ RPC_ETHERIUM: "https://a.example" })).toMatch(
      /^RPC_ETHERIUM names an unknown chain. Known chains: .*RPC_ETHEREUM, .*\.$/,
    );
  });

  test.each([
    "a.example",
    "ftp://a.example",
    "https://a.example,",
    "https://a.example;https://b.example/ x,y",
  ])("rejects %j without repeating it, since it may contain a key", (value) => {
    const sentence = complaint({ RPC_ETHEREUM: value });
    expect(sentence).toMatch(/^RPC_ETHEREUM must be .*\.$/);
    expect(sentence).not.toContain("a.example");
  });
});

describe("RPC_BUDGET_<CHAIN> and RPC_POLL_<CHAIN>", () => {
  test("limit the calls a day and set the seconds between polls of one chain", () => {
    const { rpc, rpcLimits } = parseConfig({ RPC_BUDGET_BASE: "100000", RPC_POLL_BASE: "2.5" });
    expect([...rpcLimits]).toEqual([["base", { callsPerDay: 100_000, pollSeconds: 2.5 }]]);
    expect(rpc.size).toBe(0);
  });

  test.each([
    [
      "RPC_BUDGET_BASE",
      "999",
      /^RPC_BUDGET_BASE must be a whole number of calls a day, at least 1000 \(it is "999"\)\.$/,
    ],
    ["RPC_POLL_BASE", "often", /^RPC_POLL_BASE must be a number of seconds from 0\.25 to 600/],
    ["RPC_BUDGET_BASS", "5000", /^RPC_BUDGET_BASS names an unknown chain\.$/],
  ])("reject %s=%s", (name, value, message) => {
    expect(complaint({ [name]: value })).toMatch(message);
  });
});

test("an unknown name with the prefix TOCSIN_ is rejected", () => {
  expect(complaint({ TOCSIN_PORT: "8080" })).toMatch(/^TOCSIN_PORT is not a setting of Tocsin\./);
});

test.each<[boolean, Record<string, string>]>([
  [true, {}],
  [true, { DEMO: "1", RPC_ETHEREUM: "http://127.0.0.1:1" }],
  [true, { DEMO: "1", DATABASE_URL: "postgres://localhost" }],
  [false, { RPC_ETHEREUM: "http://127.0.0.1:1" }],
  [false, { DATABASE_URL: "postgres://localhost" }],
  [false, { ROLES: "api" }],
  [false, { DEMO: "0" }],
  [false, { DEMO: "1", RPC_DEMO: "http://127.0.0.1:1" }],
])("the demo chain runs: %s with %j", (runsDemo, environment) => {
  expect(parseConfig(environment).runsDemo).toBe(runsDemo);
});

test("other environment variables are ignored", () => {
  expect(parseConfig({ PATH: "/bin", HOME: "/root", PORTAL: "x", FOO_TOKEN: "y" })).toEqual(parseConfig({}));
});

test("one price for two tiers is rejected", () => {
  expect(complaint({ STRIPE_PRICE_PRO: "price_1", STRIPE_PRICE_TEAM: "price_1" })).toMatch(
    /^STRIPE_PRICE_PRO, .* must differ\.$/,
  );
});

test("all invalid settings are reported together", () => {
  const sentences = complaint({ PORT: "x", LOG_LEVEL: "loud", METRICS_TOKEN: "short" });
  expect(sentences).toMatch(/PORT .*LOG_LEVEL .*METRICS_TOKEN /);
});

describe("the settings as doctor shows them", () => {
  const shown = (environment: Record<string, string>) => JSON.stringify(maskConfig(parseConfig(environment)));

  test("contain no secret", () => {
    const text = shown({ SECRETS_KEY: "hunter2".repeat(8), METRICS_TOKEN: "hunter2".repeat(3) });
    expect(text).not.toContain("hunter2");
    expect(text).toContain('"METRICS_TOKEN":"(set)"');
  });

  test.each([
    [
      "DATABASE_URL",
      "postgres://hunter2user:hunter2@db.example:5433/tocsin?password=hunter2&sslmode=require",
    ],
    ["DATABASE_URL", "postgres://hunter2%zz:hunter2%25%C3@db.example/tocsin"],
    ["REDIS_URL", "rediss://hunter2:hunter2@db.example/0"],
    ["SMTP_URL", "smtps://hunter2:hunter2@db.example:465/?pool=true"],
    ["PUBLIC_URL", "https://hunter2:hunter2@db.example/"],
    ["RPC_ETHEREUM", "https://hunter2:hunter2@db.example/v2/hunter2,wss://db.example/?key=hunter2"],
  ])("show the host of %s and mask the credentials", (name, value) => {
    const text = shown({ [name]: value });
    expect(text).toContain("db.example");
    expect(text).not.toContain("hunter2");
  });
});
