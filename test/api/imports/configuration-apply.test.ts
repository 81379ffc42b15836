import { expect, test } from "vitest";
import { openConfig } from "../../../src/delivery/channel-config.ts";
import { listChannels } from "../../../src/store/channels/channels.ts";
import type { ConfigPlan } from "../../../src/wire/imports/configuration.ts";
import { harness, type Person } from "../../support/harness.ts";
import { freshAddress } from "../contracts/contract-steps.ts";
import { counts, dump, errorReply, sendConcurrently, teamAdmin } from "../steps.ts";
import {
  apply,
  applyOk,
  changeLines,
  exportConfig,
  makePopulatedOrg,
  rule,
  slack,
} from "./configuration-steps.ts";

const h = await harness();

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

test("a dry run of a document returns the plan of the real run and writes nothing", async () => {
  const owner = await makePopulatedOrg(h);
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
  const owner = await makePopulatedOrg(h);
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
  expect(plan.changes).toMatchObject([
    {
      ...{ action: "update", kind: "contract", ref: contractRef, fields: ["label", "labels"] },
      values: [{ field: "label", before: "Vault", after: "Safe" }, { field: "labels" }],
    },
    {
      ...{
        action: "update",
        kind: "target",
        ref: `${contractRef} / tx_rate / Transactions`,
        fields: ["name"],
      },
      values: [{ field: "name", before: "Transactions", after: "Traffic" }],
    },
    {
      action: "update",
      kind: "rule",
      ref: `${contractRef} / Ours`,
      fields: ["name", "severity", "channels", "record_only"],
      values: [{ field: "name", before: "Ours", after: "Ours renamed" }, { after: "info" }, {}, {}],
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
  const owner = await makePopulatedOrg(h);
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
  const owner = await makePopulatedOrg(h);
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
  const owner = await makePopulatedOrg(h);
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
    const row = rows.find((channelRow) => channelRow.name === name);
    expect(row && (await openConfig(h.app, row))).toEqual({ webhook_url: secrets.ANYTHING });
  }
});

test("apply rejects a webhook with a new URL whose secret headers are not given again", async () => {
  const owner = await makePopulatedOrg(h);
  const { channels = [] } = await exportConfig(owner);
  const hook = channels.find(({ name }) => name === "Hook");
  const moved = { ...hook, config: { ...hook?.config, url: "https://evil.example/hook" } };
  const reply = await apply(owner, { version: 1, channels: [moved] });
  expect(reply.status).toBe(422);
  expect(reply.text).toContain("must be given again");
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

const yaml = (person: Person, text: string, path = "/config/apply") =>
  person.client.post(path, text, { headers: { "content-type": "application/yaml" } });

test("a document in YAML is planned and applied as the same one in JSON", async () => {
  const owner = await teamAdmin(h);
  const address = freshAddress();
  const text = `
# Comments are ignored.
version: 1
contracts:
  - chain: local
    address: "${address}"
    label: From YAML
    targets:
      - target_type: tx_rate
        rules: [{ name: Busy, severity: info, record_only: true, condition: { operator: gt, threshold: 1 } }]
`;
  const plan = await yaml(owner, text, "/config/apply?dry_run=true");
  expect(plan).toMatchObject({ status: 200, body: { dry_run: true, summary: { create: 3 } } });
  expect((await exportConfig(owner)).contracts ?? []).toEqual([]);
  expect(await yaml(owner, text)).toMatchObject({ status: 200, body: { summary: { create: 3 } } });
  expect((await exportConfig(owner)).contracts).toMatchObject([{ label: "From YAML" }]);
  expect(await yaml(owner, text)).toMatchObject({ status: 200, body: { summary: { create: 0, none: 3 } } });
});

test.each([
  ["an unclosed list", "version: 1\ncontracts: [", /is not valid YAML: .+ at line 2/],
  ["a repeated key", "version: 1\nversion: 1", /is repeated/],
  ["a reference to itself", "version: 1\ncontracts: &a [*a]", /reference to itself/],
  ["too many aliases", `a: &a [1,2]\nb: &b [${"*a,".repeat(60)}1]\nc: [${"*b,".repeat(60)}1]`, /alias/i],
  ["deep nesting", `version: ${"[".repeat(100)}${"]".repeat(100)}`, /nested deeper/],
  ["no document", "", /object/],
])("YAML with %s is rejected with the reason", async (_what, text, reason) => {
  const owner = await teamAdmin(h);
  const reply = await yaml(owner, text);
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ msg: expect.stringMatching(reason) }] } });
});

test("an invalid field of a YAML document is reported at its place, and other operations do not accept YAML", async () => {
  const owner = await teamAdmin(h);
  expect(await yaml(owner, "version: 1\ncontracts:\n  - chain: local\n    adress: x")).toMatchObject({
    status: 422,
    body: {
      detail: expect.arrayContaining([expect.objectContaining({ loc: ["body", "contracts", 0, "adress"] })]),
    },
  });
  expect(await yaml(owner, "chain: local", "/contracts")).toMatchObject(
    errorReply(415, "unsupported_media_type"),
  );
});
