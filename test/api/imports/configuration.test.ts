import fc from "fast-check";
import { expect, test } from "vitest";
import { openConfig } from "../../../src/delivery/channel-config.ts";
import { listChannels } from "../../../src/store/channels/channels.ts";
import type { ConfigDocument, ConfigPlan } from "../../../src/wire/imports/configuration.ts";
import type { Client } from "../../support/client.ts";
import { harness, type Person } from "../../support/harness.ts";
import { runSize } from "../../support/run-size.ts";
import { addContract, addRule, addTarget, freshAddress, grant } from "../contracts/contract-steps.ts";
import { makeKeyClient } from "../orgs/keys.ts";
import { counts, dump, errorReply, join, sendConcurrently, teamAdmin } from "../steps.ts";

const h = await harness();

const exportConfig = async ({ client }: { client: Client }) => {
  const reply = await client.get("/config");
  expect(reply.status).toBe(200);
  return reply.body as ConfigDocument;
};

const apply = ({ client }: { client: Client }, body: object, dry_run = false) =>
  client.post("/config/apply", body, { query: { dry_run: String(dry_run) } });

async function applyOk(one: { client: Client }, body: object, dry_run = false): Promise<ConfigPlan> {
  const reply = await apply(one, body, dry_run);
  expect([reply.status, reply.status === 200 ? "" : reply.text]).toEqual([200, ""]);
  return reply.body as ConfigPlan;
}

const changeLines = ({ changes }: ConfigPlan) =>
  changes.map(({ action, kind, ref }) => `${action} ${kind} ${ref}`);

const slack = (name = "On-call", more: object = {}) => ({
  type: "slack",
  name,
  config: { webhook_url: "https://hooks.slack.com/services/T0/B0/verysecret" },
  ...more,
});
const rule = (name: string, more: { channels?: string[] } & Record<string, unknown> = {}) => ({
  name,
  severity: "critical",
  condition: { operator: "gt", threshold: 1 },
  record_only: !more.channels?.length,
  ...more,
});

/** An org with channels, contracts, labels, targets and rules. */
async function makePopulatedOrg(): Promise<Person> {
  const owner = await teamAdmin(h);
  const { body } = await owner.client.post("/channels", slack());
  const channel_id = (body as { id: string }).id;
  await owner.client.post("/channels", {
    type: "webhook",
    name: "Hook",
    config: { url: "https://example.com/hook", headers: { Authorization: "Bearer alsosecret" } },
  });
  const contract = await addContract(owner, { label: "Vault" });
  await owner.client.put(`/contracts/${contract.id}/labels`, {
    labels: [{ key: "team", value: "treasury", color: "#a5341f" }, { value: "core" }],
  });
  const plain = await addTarget(owner, contract.id);
  const config = { event_signature: "Transfer(address,address,uint256)" };
  for (const filter of [undefined, "$2 > 5"])
    await addTarget(owner, contract.id, { target_type: "event_frequency", config: { ...config, filter } });
  await addRule(owner, plain.id, { name: "Busy", channel_id, confirmations: "safe" });
  await addRule(owner, plain.id, { name: "Busy" });
  await addRule(owner, plain.id, { name: "Ours", external_ref: "template:x", channel_ids: [channel_id] });
  const paused = await addContract(owner, {
    selected_targets: [{ target_type: "no_such_type", config: { a: 1 } }],
  });
  await owner.client.post(`/contracts/${paused.id}/pause`);
  return owner;
}

test("an export has no ids, no secrets and no masked values", async () => {
  const owner = await makePopulatedOrg();
  const { text, body } = await owner.client.get("/config");
  expect(text).not.toMatch(/verysecret|alsosecret|whsec|•|"id"/);
  const { channels, contracts } = body as ConfigDocument;
  expect(channels).toMatchObject([
    {
      name: "Hook",
      config: {
        url: "https://example.com/hook",
        secret: { $secret: "CHANNEL_HOOK_SECRET" },
        headers: { Authorization: { $secret: "CHANNEL_HOOK_HEADERS_AUTHORIZATION" } },
      },
    },
    { name: "On-call", type: "slack", config: { webhook_url: { $secret: "CHANNEL_ON_CALL_WEBHOOK_URL" } } },
  ]);
  const vault = contracts?.find(({ label }) => label === "Vault");
  expect(vault?.labels).toEqual([
    { key: "team", value: "treasury", color: "#a5341f" },
    { key: null, value: "core", color: null },
  ]);
  expect(vault?.targets?.map(({ target_type }) => target_type)).toEqual([
    "event_frequency",
    "event_frequency",
    "tx_rate",
  ]);
  expect(vault?.targets?.[2]?.rules?.map(({ name, channels: channelNames }) => [name, channelNames])).toEqual(
    expect.arrayContaining([
      ["Busy", ["On-call"]],
      ["Busy", []],
      ["Ours", ["On-call"]],
    ]),
  );
  expect(contracts?.filter(({ is_paused }) => is_paused)).toHaveLength(1);
});

test("applying an org's own export changes no row", async () => {
  const owner = await makePopulatedOrg();
  const document = await exportConfig(owner);
  const before = await dump(h);
  for (const prune of [false, true]) {
    const plan = await applyOk(owner, { ...document, prune });
    expect(plan).toMatchObject({ changes: [], errors: [], summary: { create: 0, update: 0, delete: 0 } });
    expect(plan.summary.none).toBe(2 + 2 + 4 + 3);
  }
  expect(await dump(h)).toEqual(before);
  expect(await exportConfig(owner)).toEqual(document);
});

test("an export applied to another org with its secrets recreates everything", async () => {
  const [from, to] = [await makePopulatedOrg(), await teamAdmin(h)];
  const document = await exportConfig(from);
  const secrets = {
    CHANNEL_ON_CALL_WEBHOOK_URL: "https://hooks.slack.com/services/T1/B1/another",
    CHANNEL_HOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    CHANNEL_HOOK_HEADERS_AUTHORIZATION: "Bearer fresh",
  };
  const plan = await applyOk(to, { ...document, secrets });
  expect(plan.summary).toEqual({ create: 11, update: 0, delete: 0, none: 0 });
  expect(await exportConfig(to)).toEqual(document);
  const rows = await listChannels(h.app.db, to.org_id);
  const hook = rows.find(({ name }) => name === "Hook");
  expect(hook && (await openConfig(h.app, hook))).toEqual({
    url: "https://example.com/hook",
    secret: secrets.CHANNEL_HOOK_SECRET,
    headers: { Authorization: "Bearer fresh" },
  });
  const again = await applyOk(to, { ...document, secrets });
  expect(again.changes).toEqual([]);
});

/** Random documents with repeated names and missing fields. */
const documents = (() => {
  const name = fc.constantFrom("A", "B", "Ärger", "a b");
  const withRecipients = <Given extends { channels: string[] }>(one: Given) => ({
    ...one,
    record_only: one.channels.length === 0,
  });
  const rules = fc.array(
    fc
      .record(
        {
          name,
          severity: fc.constantFrom("info", "warning", "critical"),
          condition: fc.record({
            operator: fc.constantFrom("gt", "lt"),
            threshold: fc.integer({ min: -5, max: 5 }),
            window_seconds: fc.constantFrom(60, 300),
          }),
          external_ref: fc.constantFrom("x:1", "x:2", null),
          channels: fc.uniqueArray(fc.constantFrom("One", "Two"), { maxLength: 2 }),
          cooldown_seconds: fc.constantFrom(0, 300),
          mode: fc.constantFrom("live", "shadow"),
          confirmations: fc.constantFrom(null, 3, "finalized"),
          is_enabled: fc.boolean(),
        },
        { noNullPrototype: true },
      )
      .map(withRecipients),
    { maxLength: 3 },
  );
  const many = fc.record(
    {
      target_type: fc.constantFrom("event_frequency", "unknown_type"),
      name,
      config: fc.record({ event_signature: fc.constantFrom("A()", "B(uint256)") }, { noNullPrototype: true }),
      is_enabled: fc.boolean(),
      rules,
    },
    { noNullPrototype: true },
  );
  const single = fc.record(
    { target_type: fc.constantFrom("tx_rate", "inactivity"), is_enabled: fc.boolean(), rules },
    { requiredKeys: ["target_type"], noNullPrototype: true },
  );
  const contract = fc.record(
    {
      chain: fc.constant("local"),
      address: fc.constantFrom(...Array.from({ length: 4 }, () => freshAddress())),
      label: name,
      category: fc.constantFrom("dex", "other"),
      is_paused: fc.boolean(),
      labels: fc.uniqueArray(fc.record({ value: name }, { noNullPrototype: true }), {
        selector: ({ value }) => value.toLowerCase(),
      }),
      targets: fc
        .tuple(
          fc.array(many, { maxLength: 3 }),
          fc.uniqueArray(single, { selector: (one) => one.target_type }),
        )
        .map((lists) => lists.flat()),
    },
    { requiredKeys: ["chain", "address", "targets"], noNullPrototype: true },
  );
  return fc.uniqueArray(contract, { selector: ({ address }) => address, maxLength: 3 });
})();

test("any document: apply is idempotent, its export changes nothing, and pruning leaves only its contents", async () => {
  const owner = await teamAdmin(h);
  await h.setTier(owner.org_id, "enterprise");
  const channels = ["One", "Two"].map((name) => ({
    type: "email",
    name,
    config: { to: ["oncall@example.com"] },
    min_severity: "info",
    is_enabled: true,
  }));
  await fc.assert(
    fc.asyncProperty(documents, fc.boolean(), async (contracts, prune) => {
      const document = { version: 1, channels, contracts, prune };
      const planned = await applyOk(owner, document, true);
      const first = await applyOk(owner, document);
      expect({ ...planned, dry_run: false }).toEqual(first);
      expect((await applyOk(owner, document)).changes).toEqual([]);
      const out = await exportConfig(owner);
      expect((await applyOk(owner, { ...out, prune: true })).changes).toEqual([]);
      expect(await exportConfig(owner)).toEqual(out);
      if (prune) expect(out.contracts).toHaveLength(contracts.length);
    }),
    { numRuns: runSize("CONFIGURATION_RUNS", { short: 4, long: 300 }), endOnFailure: false },
  );
});

test("a dry run of a document returns the plan of the real run and writes nothing", async () => {
  const owner = await makePopulatedOrg();
  const document = {
    version: 1,
    channels: [slack("Second")],
    contracts: [
      {
        chain: "local",
        address: freshAddress(),
        targets: [{ target_type: "tx_rate", rules: [rule("Loud", { channels: ["Second", "On-call"] })] }],
      },
    ],
  };
  const before = await dump(h);
  const planned = await applyOk(owner, document, true);
  expect(await dump(h)).toEqual(before);
  const done = await applyOk(owner, document);
  expect({ ...planned, dry_run: false }).toEqual(done);
  expect(done.changes.map(({ action, kind }) => `${action} ${kind}`)).toEqual([
    "create channel",
    "create contract",
    "create target",
    "create rule",
  ]);
});

test("apply updates resources in place and keeps fields the document leaves out", async () => {
  const owner = await makePopulatedOrg();
  const { contracts = [] } = await exportConfig(owner);
  const vault = contracts.find(({ label }) => label === "Vault");
  const before = (await owner.client.get("/alerts")).body as { id: string; name: string }[];
  const plan = await applyOk(owner, {
    version: 1,
    contracts: [
      {
        chain: vault?.chain,
        address: vault?.address.toLowerCase(),
        label: "Safe",
        labels: [{ value: "core" }],
        targets: [
          {
            target_type: "tx_rate",
            name: "Traffic",
            rules: [rule("Ours renamed", { external_ref: "template:x", severity: "info", channels: [] })],
          },
        ],
      },
    ],
  });
  const contractRef = `${vault?.chain}:${vault?.address}`;
  expect(plan.changes).toEqual([
    { action: "update", kind: "contract", ref: contractRef, fields: ["label", "labels"] },
    { action: "update", kind: "target", ref: `${contractRef} / tx_rate / Transactions`, fields: ["name"] },
    {
      action: "update",
      kind: "rule",
      ref: `${contractRef} / Ours`,
      fields: ["name", "severity", "channels", "record_only"],
    },
  ]);
  const after = (await owner.client.get("/alerts")).body as {
    id: string;
    name: string;
    channel_ids: string[];
  }[];
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  expect(after.find(({ name }) => name === "Ours renamed")).toMatchObject({
    channel_id: null,
    channel_ids: [],
  });
  expect(after.filter(({ name }) => name === "Busy")).toHaveLength(2);
});

test("apply deletes only with prune, and only from lists in the document", async () => {
  const owner = await makePopulatedOrg();
  const document = await exportConfig(owner);
  const vault = document.contracts?.find(({ label }) => label === "Vault");
  const kept = { ...vault, targets: vault?.targets?.slice(2).map(({ rules: _, ...target }) => target) };
  const body = { version: 1, contracts: [kept] };
  expect((await applyOk(owner, body)).changes).toEqual([]);
  const plan = await applyOk(owner, { ...body, prune: true });
  expect(plan.summary).toMatchObject({ create: 0, update: 0, delete: 3 });
  const left = await exportConfig(owner);
  expect(left.channels).toEqual(document.channels);
  expect(left.contracts).toHaveLength(1);
  expect(left.contracts?.[0]?.targets).toEqual(vault?.targets?.slice(2));
  const pruned = await applyOk(owner, { version: 1, channels: [], contracts: [], prune: true });
  expect(changeLines(pruned).sort()).toEqual(
    ["delete channel Hook", "delete channel On-call", `delete contract local:${vault?.address}`].sort(),
  );
  expect(await exportConfig(owner)).toEqual({ version: 1, channels: [], policies: [], contracts: [] });
});

test("apply with prune frees quota before it creates", async () => {
  const owner = await h.person();
  const contracts = Array.from({ length: 5 }, () => ({ chain: "local", address: freshAddress() }));
  await applyOk(owner, { version: 1, contracts });
  const others = [...contracts.slice(1), { chain: "local", address: freshAddress() }];
  expect((await apply(owner, { version: 1, contracts: others })).status).toBe(422);
  await applyOk(owner, { version: 1, contracts: others, prune: true });
  expect((await exportConfig(owner)).contracts).toHaveLength(5);
});

test("apply reports every exceeded quota and creates nothing", async () => {
  const owner = await h.person();
  const targets = Array.from({ length: 6 }, (_, index) => ({
    target_type: "event_frequency",
    name: `Event ${index}`,
    config: { event_signature: `E${index}()` },
    rules: [rule("One"), rule("Two"), rule("Three")],
  }));
  const contracts = Array.from({ length: 6 }, () => ({ chain: "local", address: freshAddress(), targets }));
  const channels = ["A", "B", "C"].map((name) => slack(name));
  const before = await counts(h);
  const { errors } = await applyOk(owner, { version: 1, channels, contracts: contracts.slice(0, 1) }, true);
  expect(errors.map(({ loc, type }) => [loc.join("."), type])).toEqual([
    ["body.channels.2", "quota_exceeded"],
    ["body.contracts.0.targets.5", "quota_exceeded"],
    ...[1, 2].map((index) => [`body.contracts.0.targets.3.rules.${index}`, "quota_exceeded"]),
    ...[0, 1, 2].map((index) => [`body.contracts.0.targets.4.rules.${index}`, "quota_exceeded"]),
  ]);
  const reply = await apply(owner, { version: 1, contracts });
  expect(reply).toMatchObject({ status: 422 });
  expect(reply.text).toContain("allows 5 contracts");
  expect(await counts(h)).toEqual(before);
});

test("concurrent applications of one document create it once", async () => {
  const owner = await makePopulatedOrg();
  const document = {
    version: 1,
    channels: [slack("New")],
    contracts: [
      { chain: "local", address: freshAddress(), targets: [{ target_type: "tx_rate", rules: [rule("A")] }] },
    ],
  };
  const replies = await sendConcurrently(Array(5).fill(owner.client), (client) =>
    client.post("/config/apply", document),
  );
  const created = replies.map(({ body }) => (body as ConfigPlan).summary.create).sort();
  expect(created).toEqual([0, 0, 0, 0, 4]);
});

test("apply keeps a secret without a value, and requires it for a new channel", async () => {
  const owner = await makePopulatedOrg();
  const reference = { webhook_url: { $secret: "ANYTHING" } };
  expect(
    (await applyOk(owner, { version: 1, channels: [slack("On-call", { config: reference })] })).changes,
  ).toEqual([]);
  const { errors } = await applyOk(
    owner,
    { version: 1, channels: [slack("New", { config: reference })] },
    true,
  );
  expect(errors).toEqual([
    {
      loc: ["body", "channels", 0, "config", "webhook_url"],
      msg: "needs the secret ANYTHING; add it to secrets",
      type: "missing_secret",
    },
  ]);
  const secrets = { ANYTHING: "https://hooks.slack.com/services/T9/B9/brandnew" };
  const plan = await applyOk(owner, {
    version: 1,
    secrets,
    channels: [slack("On-call", { config: reference }), slack("New", { config: reference })],
  });
  expect(plan.changes.map(({ fields }) => fields)).toEqual([
    ["config.webhook_url"],
    ["config", "name", "type"],
  ]);
  expect(JSON.stringify(plan)).not.toContain("brandnew");
  expect((await owner.client.get("/audit-log")).text).not.toContain("brandnew");
  const rows = await listChannels(h.app.db, owner.org_id);
  for (const name of ["On-call", "New"]) {
    const row = rows.find((one) => one.name === name);
    expect(row && (await openConfig(h.app, row))).toEqual({ webhook_url: secrets.ANYTHING });
  }
});

test("apply rejects a webhook with a new URL whose secret headers are not given again", async () => {
  const owner = await makePopulatedOrg();
  const { channels = [] } = await exportConfig(owner);
  const hook = channels.find(({ name }) => name === "Hook");
  const moved = { ...hook, config: { ...hook?.config, url: "https://evil.example/hook" } };
  const reply = await apply(owner, { version: 1, channels: [moved] });
  expect(reply.status).toBe(422);
  expect(reply.text).toContain("must be given again");
});

test("an export distinguishes channels of the same name, and apply rejects duplicate new names", async () => {
  const owner = await teamAdmin(h);
  for (const to of ["a@example.com", "b@example.com"])
    await owner.client.post("/channels", { type: "email", name: "Ops", config: { to: [to] } });
  const document = await exportConfig(owner);
  expect(document.channels?.map(({ ref, name }) => [ref, name])).toEqual([
    [undefined, "Ops"],
    ["Ops #2", "Ops"],
  ]);
  const [first, second] = document.channels ?? [];
  const plan = await applyOk(owner, { version: 1, channels: [first, { ...second, name: "Ops two" }] });
  expect(changeLines(plan)).toEqual(["update channel Ops #2"]);
  const other = await teamAdmin(h);
  const { errors } = await applyOk(
    other,
    { version: 1, channels: [first, { ...first, ref: "Else" }, first] },
    true,
  );
  expect(errors.map(({ loc }) => loc.join("."))).toEqual(["body.channels.1.ref", "body.channels.2"]);
});

test.each([
  ["an unknown field", { contracts: [{ chain: "local", address: "0x01", colour: "red" }] }],
  ["another version", { version: 2 }],
  ["no version", { version: undefined }],
  ["an unknown channel", onTxRate([rule("A", { channels: ["Nobody"] })])],
  ["an expression that does not parse", onTxRate([rule("A", { condition: unparsableCondition() })])],
  ["a config that the meter rejects", onContract([{ target_type: "tx_rate", config: { direction: "up" } }])],
  ["a target twice", onContract([{ target_type: "tx_rate" }, { target_type: "tx_rate" }])],
  ["a malformed address", { contracts: [{ chain: "local", address: "0x01" }] }],
  ["a chain that is not enabled", { contracts: [{ chain: "base", address: freshAddress() }] }],
  ["a label twice", { contracts: [{ ...contractRef(), labels: [{ value: "a" }, { value: "A" }] }] }],
  ["a private address", { channels: [{ type: "webhook", name: "W", config: { url: "https://10.0.0.1/" } }] }],
  ["an id in place of a name", onTxRate([rule("A", { channel_id: null })])],
])("a document with %s is rejected as a whole, at the offending field", async (_what, wrong) => {
  const owner = await teamAdmin(h);
  const before = await counts(h);
  const fine = { chain: "local", address: freshAddress() };
  const { contracts = [], ...rest } = wrong as { contracts?: object[] };
  const reply = await apply(owner, { version: 1, contracts: [fine, ...contracts], ...rest });
  expect(reply.status).toBe(422);
  expect((reply.body as { detail: { loc: unknown[] }[] }).detail[0]?.loc.length).toBeGreaterThan(1);
  expect(await counts(h)).toEqual(before);
});

function contractRef() {
  return { chain: "local", address: freshAddress() };
}
function onContract(targets: object[]) {
  return { contracts: [{ ...contractRef(), targets }] };
}
function onTxRate(rules: object[]) {
  return onContract([{ target_type: "tx_rate", rules }]);
}
function unparsableCondition() {
  return { operator: "gt", threshold: 1, match: { expression: "value >" } };
}

test("a member can neither export, change nor prune a contract hidden from them", async () => {
  const owner = await teamAdmin(h);
  const [hidden, shown, seen] = [
    await addContract(owner),
    await addContract(owner),
    await addContract(owner),
  ];
  const [other, member] = [await join(h, owner, "member"), await join(h, owner, "member")];
  await member.client.post(`/orgs/${owner.org_id}/switch`);
  await grant(owner, hidden.id, other);
  await grant(owner, seen.id, member, "viewer");
  const addresses = (await exportConfig(member)).contracts?.map(({ address }) => address);
  expect(addresses?.sort()).toEqual([shown.address, seen.address].sort());
  const errorsOfChanging = async ({ address }: { address: string }) =>
    (await applyOk(member, { version: 1, contracts: [{ chain: "local", address, label: "Mine" }] }, true))
      .errors;
  expect(await errorsOfChanging(shown)).toEqual([]);
  expect(await errorsOfChanging(hidden)).toMatchObject([{ type: "contract_exists" }]);
  expect(await errorsOfChanging(seen)).toMatchObject([
    { msg: "is a contract to which you have read-only access", type: "role_required" },
  ]);
  await grant(owner, seen.id, member, "editor");
  await applyOk(member, { version: 1, contracts: [], prune: true });
  expect((await exportConfig(owner)).contracts?.map(({ address }) => address)).toEqual([hidden.address]);
});

/** Changes of a contract that a document can make, as a function of the contract in the export. */
const changesOfContract: [string, (contract: ExportedContract) => object[], boolean][] = [
  ["pruning the contract", () => [], true],
  ["pruning all targets", (contract) => [{ ...contract, targets: [] }], true],
  ["pruning a rule", (contract) => [withTarget(contract, { rules: [] })], true],
  ["renaming the contract", (contract) => [{ ...contract, label: "Mine" }], false],
  ["pausing the contract", (contract) => [{ ...contract, is_paused: true }], false],
  ["replacing labels", (contract) => [{ ...contract, labels: [{ value: "mine" }] }], false],
  ["disabling a target", (contract) => [withTarget(contract, { is_enabled: false })], false],
  ["adding a target", (contract) => [{ ...contract, targets: [{ target_type: "inactivity" }] }], false],
  [
    "changing a rule",
    (contract) => [withTarget(contract, { rules: [rule("Busy", { severity: "info" })] })],
    false,
  ],
  ["adding a rule", (contract) => [withTarget(contract, { rules: [rule("Another")] })], false],
];
type ExportedContract = NonNullable<ConfigDocument["contracts"]>[number];
const withTarget = (contract: ExportedContract, change: object) => ({
  ...contract,
  targets: contract.targets?.map((target) => ({ ...target, ...change })),
});

test.each(changesOfContract)(
  "%s of a contract by a document needs an editor grant, whatever else it contains",
  async (_what, changeOf, prune) => {
    const owner = await teamAdmin(h);
    const contract = await addContract(owner);
    const target = await addTarget(owner, contract.id);
    await addRule(owner, target.id, { name: "Busy" });
    const member = await join(h, owner, "member");
    await member.client.post(`/orgs/${owner.org_id}/switch`);
    await grant(owner, contract.id, member, "viewer");
    const [exported] = (await exportConfig(member)).contracts ?? [];
    const document = { version: 1, prune, contracts: changeOf(exported as ExportedContract) };
    const before = await exportConfig(owner);
    const plan = await applyOk(member, document, true);
    expect(new Set(plan.errors.map(({ type }) => type))).toEqual(new Set(["role_required"]));
    expect(await apply(member, document)).toMatchObject(errorReply(403, "role_required"));
    const channels = [{ type: "slack", name: "Broken", config: {} }];
    expect((await apply(member, { ...document, channels })).status).toBe(422);
    expect(await exportConfig(owner)).toEqual(before);
    const { body } = await owner.client.get("/audit-log", { query: { action: "access.denied" } });
    expect(body).toMatchObject([
      { actor: { id: member.user.id }, details: { operation: "applyConfig", reason: "role_required" } },
    ]);
    await grant(owner, contract.id, member, "editor");
    await applyOk(member, document);
    expect(await exportConfig(owner)).not.toEqual(before);
  },
);

test("an unrestricted key can export and apply, and a restricted one cannot", async () => {
  const owner = await makePopulatedOrg();
  const unrestricted = await makeKeyClient(h, owner);
  const readOnly = await makeKeyClient(h, owner, { scope: "read_only" });
  const restricted = await makeKeyClient(h, owner, { chain_scope: [31337] });
  expect((await applyOk({ client: unrestricted }, await exportConfig({ client: readOnly }))).changes).toEqual(
    [],
  );
  expect(await restricted.get("/config")).toMatchObject(errorReply(403, "out_of_scope"));
  expect(await apply({ client: readOnly }, { version: 1 })).toMatchObject(errorReply(403, "read_only_key"));
});

test("apply creates a thousand rules in one request", async () => {
  const owner = await teamAdmin(h);
  const rules = Array.from({ length: 10 }, (_, index) => rule(`Rule ${index}`));
  const targets = ["tx_rate", "inactivity", "native_balance", "gas_usage", "revert_rate"].map(
    (target_type) => ({
      target_type,
      rules,
    }),
  );
  const contracts = Array.from({ length: 20 }, () => ({ ...contractRef(), targets }));
  const plan = await applyOk(owner, { version: 1, contracts });
  expect(plan.summary.create).toBe(20 + 100 + 1_000);
  expect((await applyOk(owner, { version: 1, contracts })).summary).toMatchObject({ create: 0, none: 1_120 });
});
