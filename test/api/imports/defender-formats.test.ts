import { expect, test } from "vitest";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import type { DefenderImportResult } from "../../../src/wire/imports/defender-import.ts";
import { harness, type Person } from "../../support/harness.ts";
import { addChannel, freshAddress } from "../contracts/contract-steps.ts";
import { counts, teamAdmin } from "../steps.ts";
import { contracts, ownershipAbi, rules, runImport, sdkList, usdc, warningCodes } from "./defender-steps.ts";

const h = await harness({ env: { RPC_SEPOLIA: "http://127.0.0.1:1" } });

const channels = async ({ client }: Person) => (await client.get("/channels")).body as Channel[];

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
