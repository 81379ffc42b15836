import { expect, test } from "vitest";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { DefenderImportResult } from "../../../src/wire/imports/defender-import.ts";
import { harness, type Person } from "../../harness.ts";
import { addChannel, freshAddress, grant, watch } from "../contracts/contract-steps.ts";
import { counts, join, teamAdmin } from "../steps.ts";

const h = await harness({ env: { RPC_SEPOLIA: "http://127.0.0.1:1" } });

async function take({ client }: Person, body: object): Promise<DefenderImportResult> {
  const reply = await client.post("/contracts/import-from-defender", body);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as DefenderImportResult;
}

const rules = async ({ client }: Person) => (await client.get("/alerts")).body as Rule[];
const contracts = async ({ client }: Person) => (await client.get("/contracts")).body as Contract[];
const channels = async ({ client }: Person) => (await client.get("/channels")).body as Channel[];
const warned = ({ items }: DefenderImportResult) =>
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

/** As Defender's SDK lists monitors. */
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

test("Defender's list becomes a contract, a target and one rule for each channel, filters and all", async () => {
  const admin = await teamAdmin(h);
  const result = await take(admin, { export: sdkList() });
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
  const made = await rules(admin);
  expect(made.map(({ channel_id, is_enabled }) => [channel_id, is_enabled]).sort()).toEqual(
    [
      [null, false],
      [slack?.id, true],
    ].sort(),
  );
  expect(made[0]).toMatchObject({
    name: "USDC ownership",
    severity: "critical",
    cooldown_seconds: 600,
    confirmations: null,
    message_template: "Owner change\n{{rule}} {{tx_hash}} {{ matchReasons }}",
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
  expect(warned(result).sort()).toEqual(["channel_unresolved", "template_variable"]);
});

test("a dry run says what would happen and leaves nothing behind", async () => {
  const admin = await teamAdmin(h);
  const before = await counts(h);
  const dry = await take(admin, { export: sdkList(), dry_run: true });
  expect(await counts(h)).toEqual(before);
  const real = await take(admin, { export: sdkList() });
  const shape = ({ items, dry_run: _, ...numbers }: DefenderImportResult) => ({
    ...numbers,
    items: items.map(({ status, warnings, rule_ids }) => [status, warnings, rule_ids.length]),
  });
  expect(shape(dry)).toEqual(shape(real));
});

test("importing again adds nothing, and adds what is new", async () => {
  const admin = await teamAdmin(h);
  const first = await take(admin, { export: sdkList() });
  const again = await take(admin, { export: sdkList() });
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
  expect(await take(admin, { export: both })).toMatchObject({
    imported: 1,
    skipped: 1,
    rules_created: 2,
    contracts_created: 0,
  });
  expect(await contracts(admin)).toHaveLength(1);
  expect(await rules(admin)).toHaveLength(4);
});

test("an old Sentinel dump is taken as far as it goes, and its dead network is named", async () => {
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
  const result = await take(admin, {
    export: [sentinel("rinkeby"), sentinel("mainnet"), sentinel("x-my-fork")],
    channel_map: { "68e494d7-3b5a-4ffe-bd12-d4e483aa4995": channel_id },
  });
  expect(result.items.map(({ status, code }) => [status, code])).toEqual([
    ["failed", "unsupported_chain"],
    ["imported", null],
    ["failed", "unsupported_chain"],
  ]);
  expect(warned(result)).toContain("invalid_abi");
  const [rule] = await rules(admin);
  expect(rule).toMatchObject({
    channel_id,
    is_enabled: true,
    severity: "warning",
    condition: { threshold: 1, window_seconds: 60 },
  });
  expect(rule?.condition.match).toBeUndefined();
});

test("a serverless.yml is read with its references, anchors and single equals signs", async () => {
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
  const result = await take(admin, { export: yaml });
  expect(result).toMatchObject({ imported: 2, contracts_created: 1, rules_created: 3, channels_created: 1 });
  expect(warned(result).sort()).toEqual([
    "channel_unresolved",
    "channel_unresolved",
    "expression_changed",
    "unsupported_feature",
  ]);
  expect(await channels(admin)).toMatchObject([{ type: "webhook", name: "Alert Webhook" }]);
  const made = await rules(admin);
  const first = made.find(({ name, channel_id }) => name === "Block Example" && channel_id);
  expect(first).toMatchObject({ confirmations: "finalized", is_enabled: true });
  expect(first?.condition.match?.events?.[0]?.expression).toBe(
    "previousOwner==0x0f06aB75c7DD497981b75CD82F6566e3a5CAd8f2",
  );
  expect(made.find(({ name }) => name === "Second")).toMatchObject({
    is_enabled: false,
    severity: "info",
    cooldown_seconds: 60,
  });
});

test("OpenZeppelin Monitor's folders are read, one by one or together", async () => {
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
  const result = await take(admin, { export: { monitors: { transfer: monitor }, networks: {}, triggers } });
  expect(result.items.map(({ status, code }) => [status, code])).toEqual([
    ["imported", null],
    ["failed", "unsupported_chain"],
  ]);
  expect(result).toMatchObject({ rules_created: 4, channels_created: 1 });
  const live = (await rules(admin)).filter(({ is_enabled }) => is_enabled);
  expect(live.map(({ condition }) => condition.match?.status).sort()).toEqual(["failed", "success"]);
  expect(live[0]?.message_template).toBe("Large\n{{tx_hash}}");
  expect(warned(result)).toEqual(expect.arrayContaining(["unsupported_feature", "channel_unresolved"]));
  const alone = await take(await teamAdmin(h), { export: JSON.stringify(monitor) });
  expect(alone).toMatchObject({ imported: 1, rules_created: 4, channels_created: 0 });
});

test("several addresses and several address rules become several contracts", async () => {
  const admin = await teamAdmin(h);
  const [first, second, third] = [freshAddress(), freshAddress(), freshAddress()];
  const rule = (addresses: string[]) => ({ addresses, abi: JSON.parse(ownershipAbi), conditions: [] });
  const result = await take(admin, {
    export: sdkList({
      network: "local",
      addressRules: [rule([first, second, first]), rule([third, "0x12"])],
    }),
  });
  expect(result.items.map(({ status }) => status)).toEqual(["imported", "imported", "imported", "failed"]);
  expect(await contracts(admin)).toHaveLength(3);
});

test("what cannot be said here does not count more than was meant", async () => {
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
  const result = await take(admin, {
    export: sdkList({ addressRules: [{ addresses: [usdc], conditions }], notifyConfig: undefined }),
  });
  expect(warned(result).sort()).toEqual(["expression_unparsed", "no_channels"]);
  expect(await rules(admin)).toMatchObject([{ is_enabled: false, channel_id: null }]);
});

test("Forta monitors and what is no monitor are named as errors", async () => {
  const admin = await teamAdmin(h);
  const { items } = sdkList();
  const result = await take(admin, {
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
  ["neither JSON nor YAML", "{ unbalanced: [", "invalid_export"],
  ["nothing known", { hello: "world" }, "unknown_format"],
  ["a number", 7, "unknown_format"],
  ["an empty list", [], "unknown_format"],
  ["a bomb of aliases", bomb(), "invalid_export"],
])("%s is refused", async (_what, data, type) => {
  const admin = await teamAdmin(h);
  const reply = await admin.client.post("/contracts/import-from-defender", { export: data });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "export"], type }] } });
});

function bomb(): string {
  const levels = Array.from(
    { length: 9 },
    (_, n) => `a${n + 1}: &a${n + 1} [${Array(9).fill(`*a${n}`).join(", ")}]`,
  );
  return ["a0: &a0 [x, x, x, x, x, x, x, x, x]", ...levels, "resources: { monitors: { m: *a9 } }"].join("\n");
}

test("a channel of another org is refused, before anything is done", async () => {
  const [admin, stranger] = [await teamAdmin(h), await teamAdmin(h)];
  const theirs = await addChannel(h, stranger.org_id);
  for (const more of [{ channel_map: { ops: theirs } }, { default_channel_id: theirs }]) {
    const reply = await admin.client.post("/contracts/import-from-defender", { export: sdkList(), ...more });
    expect(reply.status).toBe(422);
  }
  expect(await contracts(admin)).toEqual([]);
});

test("quotas hold: what does not fit is failed whole, and says why", async () => {
  const person = await h.person();
  const monitors = Array.from({ length: 8 }, (_, n) => ({
    ...sdkList().items[0],
    monitorId: `m${n}`,
    network: "local",
    addressRules: [{ addresses: [freshAddress()], conditions: [] }],
    notifyConfig: { notifications: [], timeoutMs: 0 },
  }));
  const result = await take(person, { export: { items: monitors } });
  expect(result).toMatchObject({ imported: 5, failed: 3, contracts_created: 5, rules_created: 5 });
  expect(result.items.at(-1)).toMatchObject({ code: "quota_exceeded" });
});

test("nobody puts rules on a contract that they may not change", async () => {
  const admin = await teamAdmin(h);
  const member = await join(h, admin, "member");
  await member.client.post(`/orgs/${admin.org_id}/switch`);
  const hidden = await watch(admin, { chain: "ethereum", address: usdc });
  await grant(admin, hidden.id, admin);
  const result = await take(member, { export: sdkList() });
  expect(result.items).toMatchObject([{ status: "failed", code: "role_required", rule_ids: [] }]);
  expect(await rules(admin)).toEqual([]);
});

test("secrets of an export are nowhere in the answer", async () => {
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

/** A monitor as Defender lists it, with what a test wants of it. */
const monitor = (more: object = {}) => ({
  monitorId: freshAddress(),
  name: "Hostile",
  network: "mainnet",
  addressRules: [{ addresses: [freshAddress()], conditions: [] }],
  ...more,
});
const refusal = async ({ client }: Person, dump: unknown) => {
  const reply = await client.post("/contracts/import-from-defender", { export: dump });
  return [reply.status, JSON.stringify(reply.body)];
};

test("an export that would make far more than it holds is refused at once", async () => {
  const admin = await teamAdmin(h);
  const many = (count: number, one: (index: number) => unknown) =>
    Array.from({ length: count }, (_, n) => one(n));
  const txConditions = many(300, (n) => ({ txConditions: [{ expression: `nonce > ${n}` }] }));
  const notifications = many(300, (n) => ({ notificationId: String(n), name: `n${n}`, type: "slack" }));
  const product = monitor({
    addressRules: [{ addresses: [freshAddress()], conditions: txConditions }],
    notifyConfig: { notifications },
  });
  expect(await refusal(admin, [product])).toEqual([422, expect.stringContaining("at most 20000 rules")]);
  const crowd = monitor({ addressRules: [{ addresses: many(5_001, () => freshAddress()) }] });
  expect(await refusal(admin, [crowd])).toEqual([422, expect.stringContaining("at most 5000 addresses")]);
  const everywhere = {
    name: "Everywhere",
    networks: many(20_000, (n) => `net${n}`),
    addresses: many(20_000, () => ({ address: "0x1" })),
    match_conditions: {},
  };
  expect(await refusal(admin, everywhere)).toEqual([422, expect.stringContaining("at most 5000 addresses")]);
});

test("alternatives that share their events name each of them once", async () => {
  const admin = await teamAdmin(h);
  const events = Array.from({ length: 20_000 }, () => ({ signature: "Paused(address)" }));
  const transactions = Array.from({ length: 20_000 }, () => ({}));
  const { items } = await take(admin, {
    export: {
      name: "Shared",
      networks: ["ethereum_mainnet"],
      addresses: [{ address: usdc }],
      match_conditions: { events, transactions },
    },
  });
  expect(items).toHaveLength(1);
});

test("text that would take for ever to look at is not looked at", async () => {
  const admin = await teamAdmin(h);
  const [quotes, brackets] = [`"${'\\"'.repeat(200_000)}`, "<".repeat(400_000)];
  const conditions = [{ txConditions: [{ expression: quotes }] }];
  const notifications = [{ notificationId: "n", name: "n", type: "slack", config: { url: brackets } }];
  const result = await take(admin, {
    export: [
      monitor({
        addressRules: [{ addresses: [freshAddress()], conditions }],
        notifyConfig: { notifications },
      }),
    ],
  });
  expect(warned(result)).toEqual(["expression_unparsed", "channel_unresolved"]);
});

test("text that cannot be stored, and nesting without end, are refused by what is wrong", async () => {
  const admin = await teamAdmin(h);
  const nul = JSON.stringify([monitor({ notifyConfig: { messageBody: "a\u0000b" } })]);
  expect(await refusal(admin, nul)).toEqual([422, expect.stringContaining("NUL")]);
  const half = JSON.stringify([monitor({ name: "\ud800" })]);
  expect(await refusal(admin, half)).toEqual([422, expect.stringContaining("surrogate")]);
  const deep = `{"triggers":${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
  expect(await refusal(admin, deep)).toEqual([422, expect.stringContaining("nested deeper")]);
  const cyclic = "triggers: &a\n  again: *a\nmonitors:\n  m: { match_conditions: {}, networks: [mainnet] }\n";
  expect(await refusal(admin, cyclic)).toEqual([422, expect.stringContaining("circular reference")]);
});

test("names that every object has are names like others", async () => {
  const admin = await teamAdmin(h);
  await take(admin, {
    export: [monitor({ notifyConfig: { messageBody: "{{constructor}} {{monitor.name}}" } })],
  });
  expect((await rules(admin)).map(({ message_template }) => message_template)).toEqual([
    "{{constructor}} {{rule}}",
  ]);
});

test("long names come back short, and contracts keep to their number of labels", async () => {
  const admin = await teamAdmin(h);
  const at = [{ addresses: [usdc], conditions: [] }];
  const { items } = await take(admin, {
    export: Array.from({ length: 25 }, (_, n) =>
      monitor({ name: `${n} ${"x".repeat(10_000)}`, riskCategory: `risk ${n}`, addressRules: at }),
    ),
  });
  expect(Math.max(...items.map(({ name }) => name.length))).toBe(200);
  expect((await contracts(admin)).map(({ labels }) => labels.length)).toEqual([20]);
});

test("the same export twice at once is taken over once", async () => {
  const admin = await teamAdmin(h);
  const dump = { export: [monitor(), monitor()] };
  const results = await Promise.all([take(admin, dump), take(admin, dump), take(admin, dump)]);
  expect(results.map(({ imported, skipped, failed }) => [imported, skipped, failed]).sort()).toEqual([
    [0, 2, 0],
    [0, 2, 0],
    [2, 0, 0],
  ]);
  expect(results.map(({ contracts_created }) => contracts_created).sort()).toEqual([0, 0, 2]);
});
