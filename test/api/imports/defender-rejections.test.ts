import { expect, test } from "vitest";
import { harness, type Person } from "../../support/harness.ts";
import { addChannel, addContract, freshAddress, grant } from "../contracts/contract-steps.ts";
import { join, teamAdmin } from "../steps.ts";
import { contracts, monitor, rules, runImport, sdkList, usdc, warningCodes } from "./defender-steps.ts";

const h = await harness({ env: { RPC_SEPOLIA: "http://127.0.0.1:1" } });

function aliasBomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  );
  return ["a0: &a0 [x, x, x, x, x, x, x, x, x]", ...levels, "resources: { monitors: { m: *a9 } }"].join("\n");
}

const importReply = async ({ client }: Person, dump: unknown) => {
  const reply = await client.post("/contracts/import-from-defender", { export: dump });
  return [reply.status, JSON.stringify(reply.body)];
};

test("a rule whose expression cannot be translated is imported disabled", async () => {
  const admin = await teamAdmin(h);
  const conditions = [
    {
      eventConditions: [
        { eventSignature: "Transfer(address,address,uint256)", expression: "value ^ 2 > 10" },
      ],
      txConditions: [{ status: "any", expression: null }],
      functionConditions: [],
    },
  ];
  const result = await runImport(admin, {
    export: sdkList({ addressRules: [{ addresses: [usdc], conditions }], notifyConfig: undefined }),
  });
  expect(warningCodes(result).sort()).toEqual(["expression_unparsed", "no_channels"]);
  expect(await rules(admin)).toMatchObject([{ is_enabled: false, channel_id: null }]);
});

test("a rule with a name that does not exist is imported disabled, and the warning has the nearest one", async () => {
  const admin = await teamAdmin(h);
  const conditions = [
    {
      eventConditions: [
        { eventSignature: "Settled(uint256 id, uint256 amount)", expression: "amout > 1" },
        { eventSignature: "Paid(uint256 id, uint256 amount)", expression: "amount > 1" },
      ],
      txConditions: [{ status: "any", expression: null }],
      functionConditions: [],
    },
  ];
  const body = {
    export: sdkList({ addressRules: [{ addresses: [usdc], conditions }], notifyConfig: undefined }),
  };
  const message = expect.stringMatching(/uses amout, which does not exist; did you mean amount\?/);
  for (const dry_run of [true, false]) {
    const { items } = await runImport(admin, { ...body, dry_run });
    const unknown = items[0]?.warnings.filter(({ code }) => code === "unknown_name");
    expect(unknown).toEqual([{ code: "unknown_name", message }]);
  }
  expect(await rules(admin)).toMatchObject([{ is_enabled: false }]);
});

test("a Defender import reports Forta monitors and malformed items as errors", async () => {
  const admin = await teamAdmin(h);
  const { items } = sdkList();
  const result = await runImport(admin, {
    export: {
      items: [
        { subscriberId: "x", type: "FORTA", fortaRule: {} },
        { name: "no network", addressRules: [] },
        "nonsense",
        ...items,
      ],
    },
  });
  expect(result.errors.map(({ index, code }) => [index, code])).toEqual([
    [0, "unsupported_feature"],
    [1, "invalid_item"],
    [2, "invalid_item"],
  ]);
  expect(result).toMatchObject({ imported: 1, failed: 3, monitors_total: 4 });
});

test.each([
  ["text that is neither JSON nor YAML", "{ unbalanced: [", "invalid_export"],
  ["an object of an unknown format", { hello: "world" }, "unknown_format"],
  ["a number", 7, "unknown_format"],
  ["an empty list", [], "unknown_format"],
  ["a YAML alias bomb", aliasBomb(), "invalid_export"],
])("a Defender import of %s gets 422", async (_what, data, type) => {
  const admin = await teamAdmin(h);
  const reply = await admin.client.post("/contracts/import-from-defender", { export: data });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "export"], type }] } });
});

test("a Defender import with a channel of another org is rejected and creates nothing", async () => {
  const [admin, stranger] = [await teamAdmin(h), await teamAdmin(h)];
  const theirs = await addChannel(h, stranger.org_id);
  for (const more of [{ channel_map: { ops: theirs } }, { default_channel_id: theirs }]) {
    const reply = await admin.client.post("/contracts/import-from-defender", { export: sdkList(), ...more });
    expect(reply.status).toBe(422);
  }
  expect(await contracts(admin)).toEqual([]);
});

test("a Defender import stops at the quota and reports the remaining monitors as failed", async () => {
  const person = await h.person();
  const monitors = Array.from({ length: 8 }, (_, n) => ({
    ...sdkList().items[0],
    monitorId: `m${n}`,
    network: "local",
    addressRules: [{ addresses: [freshAddress()], conditions: [] }],
    notifyConfig: { notifications: [], timeoutMs: 0 },
  }));
  const result = await runImport(person, { export: { items: monitors } });
  expect(result).toMatchObject({ imported: 5, failed: 3, contracts_created: 5, rules_created: 5 });
  expect(result.items.at(-1)).toMatchObject({ code: "quota_exceeded" });
});

test("a Defender import adds no rules to a contract that the caller cannot change", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const hidden = await addContract(admin, { chain: "ethereum", address: usdc });
  await grant(admin, hidden.id, admin);
  const result = await runImport(member, { export: sdkList() });
  expect(result.items).toMatchObject([{ status: "failed", code: "role_required", rule_ids: [] }]);
  expect(await rules(admin)).toEqual([]);
  const { body } = await admin.client.get("/audit-log", { query: { action: "access.denied" } });
  expect(body).toMatchObject([
    { actor: { id: member.user.id }, details: { operation: "importFromDefender", reason: "role_required" } },
  ]);
});

test("the reply to a Defender import contains no secret of the export", async () => {
  const admin = await teamAdmin(h);
  const items = sdkList().items.map((item) => ({
    ...item,
    notifyConfig: {
      ...item.notifyConfig,
      notifications: [
        {
          notificationId: "a",
          type: "telegram",
          name: "t",
          config: { botToken: "1:hunter2hunter2", chatId: "x" },
        },
        { notificationId: "b", type: "webhook", name: "w", config: { url: "https://127.0.0.1/hunter2" } },
      ],
    },
  }));
  const reply = await admin.client.post("/contracts/import-from-defender", { export: { items } });
  expect(reply.status).toBe(200);
  expect(reply.text).not.toContain("hunter2");
});

test("a Defender export that expands to too many rules or addresses is rejected", async () => {
  const admin = await teamAdmin(h);
  const many = (count: number, one: (index: number) => unknown) =>
    Array.from({ length: count }, (_, n) => one(n));
  const txConditions = many(300, (n) => ({ txConditions: [{ expression: `nonce > ${n}` }] }));
  const notifications = many(300, (n) => ({ notificationId: String(n), name: `n${n}`, type: "slack" }));
  const product = monitor({
    addressRules: [{ addresses: [freshAddress()], conditions: txConditions }],
    notifyConfig: { notifications },
  });
  expect(await importReply(admin, [product])).toEqual([422, expect.stringContaining("at most 20000 rules")]);
  const manyAddresses = monitor({ addressRules: [{ addresses: many(5_001, () => freshAddress()) }] });
  expect(await importReply(admin, [manyAddresses])).toEqual([
    422,
    expect.stringContaining("at most 5000 addresses"),
  ]);
  const everywhere = {
    name: "Everywhere",
    networks: many(20_000, (n) => `net${n}`),
    addresses: many(20_000, () => ({ address: "0x1" })),
    match_conditions: {},
  };
  expect(await importReply(admin, everywhere)).toEqual([
    422,
    expect.stringContaining("at most 5000 addresses"),
  ]);
});

test("a Monitor file with 20,000 alternatives over the same event becomes one item", async () => {
  const admin = await teamAdmin(h);
  const events = Array.from({ length: 20_000 }, () => ({ signature: "Paused(address)" }));
  const transactions = Array.from({ length: 20_000 }, () => ({}));
  const { items } = await runImport(admin, {
    export: {
      name: "Shared",
      networks: ["ethereum_mainnet"],
      addresses: [{ address: usdc }],
      match_conditions: { events, transactions },
    },
  });
  expect(items).toHaveLength(1);
});

test("a Defender import skips expressions and URLs that are too long to parse", async () => {
  const admin = await teamAdmin(h);
  const [quotes, brackets] = [`"${'\\"'.repeat(200_000)}`, "<".repeat(400_000)];
  const conditions = [{ txConditions: [{ expression: quotes }] }];
  const notifications = [{ notificationId: "n", name: "n", type: "slack", config: { url: brackets } }];
  const result = await runImport(admin, {
    export: [
      monitor({
        addressRules: [{ addresses: [freshAddress()], conditions }],
        notifyConfig: { notifications },
      }),
    ],
  });
  expect(warningCodes(result)).toEqual(["expression_unparsed", "channel_unresolved"]);
});

test("a Defender export with NUL, a lone surrogate, deep nesting or a cycle is rejected with the reason", async () => {
  const admin = await teamAdmin(h);
  const nul = JSON.stringify([monitor({ notifyConfig: { messageBody: "a\u0000b" } })]);
  expect(await importReply(admin, nul)).toEqual([422, expect.stringContaining("NUL")]);
  const half = JSON.stringify([monitor({ name: "\ud800" })]);
  expect(await importReply(admin, half)).toEqual([422, expect.stringContaining("surrogate")]);
  const deep = `{"triggers":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
  expect(await importReply(admin, deep)).toEqual([422, expect.stringContaining("nested deeper")]);
  const cyclic = "triggers: &a\n  again: *a\nmonitors:\n  m: { match_conditions: {}, networks: [mainnet] }\n";
  expect(await importReply(admin, cyclic)).toEqual([422, expect.stringContaining("circular reference")]);
});

test("a Defender import turns template placeholders named like Object members into text", async () => {
  const admin = await teamAdmin(h);
  await runImport(admin, {
    export: [monitor({ notifyConfig: { messageBody: "{{constructor}} {{monitor.name}}" } })],
  });
  expect((await rules(admin)).map(({ message_template }) => message_template)).toEqual([
    "{constructor} {{rule}}",
  ]);
});

test("a Defender import truncates long names and respects the label limit", async () => {
  const admin = await teamAdmin(h);
  const at = [{ addresses: [usdc], conditions: [] }];
  const { items } = await runImport(admin, {
    export: Array.from({ length: 25 }, (_, n) =>
      monitor({ name: `${n} ${"x".repeat(10_000)}`, riskCategory: `risk ${n}`, addressRules: at }),
    ),
  });
  expect(Math.max(...items.map(({ name }) => name.length))).toBe(200);
  expect((await contracts(admin)).map(({ labels }) => labels.length)).toEqual([20]);
});

test("concurrent imports of one Defender export create it once", async () => {
  const admin = await teamAdmin(h);
  const dump = { export: [monitor(), monitor()] };
  const results = await Promise.all([runImport(admin, dump), runImport(admin, dump), runImport(admin, dump)]);
  expect(results.map(({ imported, skipped, failed }) => [imported, skipped, failed]).sort()).toEqual([
    [0, 2, 0],
    [0, 2, 0],
    [2, 0, 0],
  ]);
  expect(results.map(({ contracts_created }) => contracts_created).sort()).toEqual([0, 0, 2]);
});
