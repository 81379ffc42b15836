import { expect, test } from "vitest";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { DefenderImportResult } from "../../../src/wire/imports/defender-import.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addChannel, addContract, freshAddress, grant } from "../contracts/contract-steps.ts";
import { counts, join, teamAdmin } from "../steps.ts";

const h = await harness({ env: { RPC_SEPOLIA: "http://127.0.0.1:1" } });

async function runImport({ client }: Person, body: object): Promise<DefenderImportResult> {
  const reply = await client.post("/contracts/import-from-defender", body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as DefenderImportResult;
}

const rules = async ({ client }: Person) => (await client.get("/alerts")).body as Rule[];
const contracts = async ({ client }: Person) => (await client.get("/contracts")).body as Contract[];
const channels = async ({ client }: Person) => (await client.get("/channels")).body as Channel[];
const warningCodes = ({ items }: DefenderImportResult) =>
  items.flatMap(({ warnings }) => warnings.map(({ code }) => code));

const usdc = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const ownershipAbi = JSON.stringify([
  {
    anonymous: false,
    type: "event",
    name: "OwnershipTransferred",
    inputs: [
      { indexed: true, name: "previousOwner", type: "address" },
      { indexed: true, name: "newOwner", type: "address" },
    ],
  },
]);

/** A list of monitors in the format of Defender's SDK. */
const sdkList = (more: object = {}) => ({
  items: [
    {
      monitorId: "8181d9e0-88ce-4db0-802a-2b56e2e6a7b1",
      createdAt: "2025-03-02T10:00:00.000Z",
      type: "BLOCK",
      name: "USDC ownership",
      network: "mainnet",
      blockWatcherId: "mainnet-1",
      paused: false,
      addressRules: [
        {
          addresses: [usdc],
          abi: ownershipAbi,
          conditions: [
            {
              eventConditions: [
                { eventSignature: "OwnershipTransferred(address,address)", expression: null },
              ],
              txConditions: [{ status: "any", expression: "gasPrice > 0" }],
              functionConditions: [],
            },
            {
              eventConditions: [],
              txConditions: [{ status: "any", expression: "gasPrice > 0" }],
              functionConditions: [{ functionSignature: "renounceOwnership()", expression: "" }],
            },
          ],
        },
      ],
      alertThreshold: { amount: 2, windowSeconds: 3600 },
      notifyConfig: {
        severityLevel: "HIGH",
        timeoutMs: 600_000,
        messageSubject: "Owner change",
        messageBody: "{{ monitor.name }} {{ transaction.link }} {{ matchReasons }}",
        notifications: [
          { notificationId: "68e494d7-3b5a-4ffe-bd12-d4e483aa4995", type: "email" },
          {
            notificationId: "e595ce88-f525-4d5d-b4b9-8e859310b6fb",
            type: "slack",
            name: "ops",
            paused: false,
            config: { url: "https://hooks.slack.example/services/A/B/C" },
          },
        ],
      },
      riskCategory: "ACCESS-CONTROL",
      stackResourceId: "mystack.block-example",
      ...more,
    },
  ],
  notificationsQuotaUsage: 3,
  blockProcessedQuotaUsage: 120,
});

test("a Defender monitor becomes a contract, a target and one filtered rule per channel", async () => {
  const admin = await teamAdmin(h);
  const result = await runImport(admin, { export: sdkList() });
  expect(result).toMatchObject({
    dry_run: false,
    monitors_total: 1,
    imported: 1,
    contracts_created: 1,
    targets_created: 1,
    rules_created: 2,
    channels_created: 1,
    errors: [],
  });
  expect(await contracts(admin)).toMatchObject([
    {
      chain: "ethereum",
      address: usdc,
      label: "USDC ownership",
      status: "MONITORING",
      abi_source: "import",
      labels: [{ key: "risk", value: "access-control" }],
    },
  ]);
  const [slack] = await channels(admin);
  expect(slack).toMatchObject({ type: "slack", name: "ops" });
  const created = await rules(admin);
  expect(created.map(({ channel_id, is_enabled }) => [channel_id, is_enabled]).sort()).toEqual(
    [
      [null, false],
      [slack?.id, true],
    ].sort(),
  );
  expect(created[0]).toMatchObject({
    name: "USDC ownership",
    severity: "critical",
    cooldown_seconds: 600,
    confirmations: null,
    message_template: "Owner change\n{{rule}} {{tx_hash}} { matchReasons }",
    condition: {
      operator: "gte",
      threshold: 2,
      window_seconds: 3600,
      match: {
        events: [{ signature: "OwnershipTransferred(address,address)" }],
        functions: [{ signature: "renounceOwnership()" }],
        expression: "gas_price > 0",
      },
    },
  });
  expect(warningCodes(result).sort()).toEqual(["channel_unresolved", "template_variable"]);
});

test("a dry run of a Defender import returns the result and writes nothing", async () => {
  const admin = await teamAdmin(h);
  const before = await counts(h);
  const dry = await runImport(admin, { export: sdkList(), dry_run: true });
  expect(await counts(h)).toEqual(before);
  const real = await runImport(admin, { export: sdkList() });
  const shape = ({ items, dry_run: _, ...numbers }: DefenderImportResult) => ({
    ...numbers,
    items: items.map(({ status, warnings, rule_ids }) => [status, warnings, rule_ids.length]),
  });
  expect(shape(dry)).toEqual(shape(real));
});

test("repeating a Defender import adds only new monitors", async () => {
  const admin = await teamAdmin(h);
  const first = await runImport(admin, { export: sdkList() });
  const again = await runImport(admin, { export: sdkList() });
  expect(again).toMatchObject({
    imported: 0,
    skipped: 1,
    rules_created: 0,
    contracts_created: 0,
    channels_created: 0,
  });
  expect(again.items[0]?.rule_ids.sort()).toEqual(first.items[0]?.rule_ids.sort());
  const more = sdkList({ monitorId: "00000000-0000-4000-8000-000000000001", name: "USDC ownership, too" });
  const both = { ...more, items: [...sdkList().items, ...more.items] };
  expect(await runImport(admin, { export: both })).toMatchObject({
    imported: 1,
    skipped: 1,
    rules_created: 2,
    contracts_created: 0,
  });
  expect(await contracts(admin)).toHaveLength(1);
  expect(await rules(admin)).toHaveLength(4);
});

test("an old Sentinel export is imported, except for monitors on a discontinued network", async () => {
  const admin = await teamAdmin(h);
  const sentinel = (network: string) => ({
    notifyConfig: {
      notifications: [{ type: "email", notificationId: "68e494d7-3b5a-4ffe-bd12-d4e483aa4995" }],
      timeoutMs: 0,
    },
    tenantId: "0c1585a9-1b86-4f9d-8468-28227802ac1d",
    createdAt: "2021-11-15T16:04:13.936Z",
    addressRules: [
      { conditions: [], abi: "[...]", addresses: ["0xf664FA8aB9AA8021E2c08F45fEeA817D5730A713"] },
    ],
    blockWatcherId: `${network}-1`,
    subscriberId: `abebeda6-${network}`,
    paused: false,
    name: "test",
    network,
  });
  const channel_id = await addChannel(h, admin.org_id);
  const result = await runImport(admin, {
    export: [sentinel("rinkeby"), sentinel("mainnet"), sentinel("x-my-fork")],
    channel_map: { "68e494d7-3b5a-4ffe-bd12-d4e483aa4995": channel_id },
  });
  expect(result.items.map(({ status, code }) => [status, code])).toEqual([
    ["failed", "unsupported_chain"],
    ["imported", null],
    ["failed", "unsupported_chain"],
  ]);
  expect(warningCodes(result)).toContain("invalid_abi");
  const [rule] = await rules(admin);
  expect(rule).toMatchObject({
    channel_id,
    is_enabled: true,
    severity: "warning",
    condition: { threshold: 1, window_seconds: 60 },
  });
  expect(rule?.condition.match).toBeUndefined();
});

test("a serverless.yml is imported with its references, anchors and single equals signs", async () => {
  const admin = await teamAdmin(h);
  const yaml = `
service: mystack
x-common: &common
  type: BLOCK
  network: sepolia
resources:
  notifications:
    webhook-1: { type: webhook, name: Alert Webhook, config: { url: ['https://example.test/h'] }, paused: false }
    placeholder: { type: slack, name: Later, config: { url: '\${env:SLACK_URL}' } }
  contracts:
    vault: { address: '0x62034459131329bE4349A9cc322B03c63806Aa11', abi: '[]' }
  monitors:
    block-example:
      <<: *common
      name: Block Example
      contracts: ['sepolia-0x62034459131329bE4349A9cc322B03c63806Aa11']
      confirm-level: finalized
      action-trigger: '\${self:resources.actions.a}'
      notify-config: { timeout: 0, message: null, channels: ['\${self:resources.notifications.webhook-1}', '516dfd2f-9715-47d4-bcdf-d1f9a7b4d80d'] }
      conditions: { event: [{ signature: 'OwnershipTransferred(address,address)', expression: 'previousOwner=0x0f06aB75c7DD497981b75CD82F6566e3a5CAd8f2' }], function: [{ signature: 'renounceOwnership()', expression: null }], transaction: 'gasPrice > 0' }
    second:
      <<: *common
      name: Second
      contracts: ['\${self:resources.contracts.vault}']
      paused: true
      notify-config: { timeout: 60000, severity-level: LOW, channels: ['\${self:resources.notifications.placeholder}'] }
      conditions: { event: [], function: [] }
`;
  const result = await runImport(admin, { export: yaml });
  expect(result).toMatchObject({ imported: 2, contracts_created: 1, rules_created: 3, channels_created: 1 });
  expect(warningCodes(result).sort()).toEqual([
    "channel_unresolved",
    "channel_unresolved",
    "expression_changed",
    "unsupported_feature",
  ]);
  expect(await channels(admin)).toMatchObject([{ type: "webhook", name: "Alert Webhook" }]);
  const created = await rules(admin);
  const first = created.find(({ name, channel_id }) => name === "Block Example" && channel_id);
  expect(first).toMatchObject({ confirmations: "finalized", is_enabled: true });
  expect(first?.condition.match?.events?.[0]?.expression).toBe(
    "previousOwner==0x0f06aB75c7DD497981b75CD82F6566e3a5CAd8f2",
  );
  expect(created.find(({ name }) => name === "Second")).toMatchObject({
    is_enabled: false,
    severity: "info",
    cooldown_seconds: 60,
  });
});

test("OpenZeppelin Monitor files are imported one by one or together", async () => {
  const admin = await teamAdmin(h);
  const monitor = {
    name: "Large Transfer",
    paused: false,
    networks: ["ethereum_mainnet", "stellar_mainnet"],
    addresses: [{ address: usdc, contract_spec: JSON.parse(ownershipAbi) }],
    match_conditions: {
      functions: [],
      events: [{ signature: "Transfer(address,address,uint256)", expression: "value > 10000000000" }],
      transactions: [
        { status: "Success", expression: null },
        { status: "Failure", expression: "gas_used > 100000" },
      ],
    },
    trigger_conditions: [{ script_path: "x.py", language: "Python", timeout_ms: 1000 }],
    triggers: ["slack_ops", "script_one"],
  };
  const triggers = {
    slack: {
      slack_ops: {
        name: "Slack",
        trigger_type: "slack",
        config: {
          slack_url: { type: "Plain", value: "https://hooks.slack.example/services/A/B/C" },
          message: { title: "Large", body: ["$", "{transaction.hash}"].join("") },
        },
      },
    },
    script_one: { name: "Script", trigger_type: "script", config: { language: "Bash", script_path: "x.sh" } },
  };
  const result = await runImport(admin, {
    export: { monitors: { transfer: monitor }, networks: {}, triggers },
  });
  expect(result.items.map(({ status, code }) => [status, code])).toEqual([
    ["imported", null],
    ["failed", "unsupported_chain"],
  ]);
  expect(result).toMatchObject({ rules_created: 4, channels_created: 1 });
  const live = (await rules(admin)).filter(({ is_enabled }) => is_enabled);
  expect(live.map(({ condition }) => condition.match?.status).sort()).toEqual(["failed", "success"]);
  expect(live[0]?.message_template).toBe("Large\n{{tx_hash}}");
  expect(warningCodes(result)).toEqual(expect.arrayContaining(["unsupported_feature", "channel_unresolved"]));
  const alone = await runImport(await teamAdmin(h), { export: JSON.stringify(monitor) });
  expect(alone).toMatchObject({ imported: 1, rules_created: 4, channels_created: 0 });
});

test("a Defender monitor with several addresses becomes several contracts", async () => {
  const admin = await teamAdmin(h);
  const [first, second, third] = [freshAddress(), freshAddress(), freshAddress()];
  const rule = (addresses: string[]) => ({ addresses, abi: JSON.parse(ownershipAbi), conditions: [] });
  const result = await runImport(admin, {
    export: sdkList({
      network: "local",
      addressRules: [rule([first, second, first]), rule([third, "0x12"])],
    }),
  });
  expect(result.items.map(({ status }) => status)).toEqual(["imported", "imported", "imported", "failed"]);
  expect(await contracts(admin)).toHaveLength(3);
});

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

function aliasBomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  );
  return ["a0: &a0 [x, x, x, x, x, x, x, x, x]", ...levels, "resources: { monitors: { m: *a9 } }"].join("\n");
}

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

/** A Defender monitor with the given fields. */
const monitor = (more: object = {}) => ({
  monitorId: freshAddress(),
  name: "Hostile",
  network: "mainnet",
  addressRules: [{ addresses: [freshAddress()], conditions: [] }],
  ...more,
});
const importReply = async ({ client }: Person, dump: unknown) => {
  const reply = await client.post("/contracts/import-from-defender", { export: dump });
  return [reply.status, JSON.stringify(reply.body)];
};

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
