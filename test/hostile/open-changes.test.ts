import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Rule } from "../../src/wire/alerts/rules.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { addContract, addRule, addTarget } from "../api/contracts/contract-steps.ts";
import { apply } from "../api/imports/configuration-steps.ts";
import { makeWorld as makeDeliveryWorld } from "../delivery/world.ts";
import { atLeast, emits, freshWorld, tokenAddress, transfers } from "../pipeline/world.ts";
import type { Reply } from "../support/client.ts";
import type { Person } from "../support/harness.ts";
import { holdAtCommit } from "../support/hold-at-commit.ts";

/** A change is open while a large document is applied, or while the process that makes it stands still. */
const delivery = await makeDeliveryWorld();
const { h, sink } = delivery;

/** An org that watches the token of the scripted chain, with a rule that notifies a webhook. */
async function makeOrg(owner: Person, path: string) {
  const contract = await addContract(owner, { address: tokenAddress });
  const target: Target = await addTarget(owner, contract.id, transfers);
  const config = { url: sink.url(path) };
  const channel = (await owner.client.post("/channels", { type: "webhook", name: "Hook", config })).body as {
    id: string;
  };
  const more = { channel_id: channel.id, condition: atLeast(1), cooldown_seconds: 0 };
  const rule: Rule = await addRule(owner, target.id, more);
  const received = () => sink.received.filter((request) => request.path === path).length;
  return { ...owner, contract, target, channel, rule, received };
}

const busy = await makeOrg(await h.personOn("enterprise", "busy"), "/busy");
const other = await makeOrg(await h.personOn("enterprise", "other"), "/other");

const document = {
  version: 1,
  contracts: [
    {
      chain: "local",
      address: tokenAddress,
      targets: [
        { ...transfers, rules: [{ ...ruleOf("New"), record_only: true }] },
        { target_type: "tx_rate", rules: [] },
      ],
    },
  ],
};

function ruleOf(name: string) {
  return { name, severity: "info", condition: atLeast(5) };
}

/** Changes of an org that lock its own rows. */
const changes: [string, () => Promise<Reply>][] = [
  ["a rule", () => busy.client.patch(`/alerts/${busy.rule.id}`, { severity: "warning" })],
  ["a contract", () => busy.client.patch(`/contracts/${busy.contract.id}`, { label: "Token" })],
  ["a target", () => busy.client.patch(`/targets/${busy.target.id}`, { name: "Transfers of it" })],
  ["a channel", () => busy.client.patch(`/channels/${busy.channel.id}`, { name: "Hook of it" })],
  ["its configuration", () => apply(busy, document)],
];

/** An engine on a chain of its own, for the contracts of both orgs. */
async function startWorld() {
  const world = await freshWorld(h);
  await h.app.db.updateTable("contracts").set({ status: "MONITORING" }).execute();
  await world.catchUp();
  return world;
}

test.each(changes)(
  "while an org changes %s, another one of its chain can change what it monitors",
  async (_, change) => {
    const open = await holdAtCommit(h, change);
    const severity = other.rule.severity === "info" ? "critical" : "info";
    expect((await other.client.patch(`/alerts/${other.rule.id}`, { severity })).status).toBe(200);
    await addTarget(other, other.contract.id, { target_type: "tx_rate" });
    open.commit();
    expect(await open.reply).toMatchObject({ status: 200 });
  },
);

test.each(changes)(
  "while an org changes %s, alerts of the chain are raised and sent, also its own",
  async (_, change) => {
    const world = await startWorld();
    const before = [busy.received(), other.received()];
    const open = await holdAtCommit(h, change);
    world.chain.mine([emits(1)]);
    await world.catchUp();
    await delivery.deliver();
    expect([busy.received(), other.received()]).toEqual(before.map((count) => count + 1));
    open.commit();
    expect(await open.reply).toMatchObject({ status: 200 });
  },
);

test.each([
  ["a rule", () => busy.client.delete(`/alerts/${busy.rule.id}`)],
  ["a channel", () => busy.client.delete(`/channels/${busy.channel.id}?force=true`)],
  ["a contract", () => busy.client.delete(`/contracts/${busy.contract.id}`)],
])("while an org deletes %s, alerts of others are raised and sent", async (_, change) => {
  const world = await startWorld();
  const before = other.received();
  const open = await holdAtCommit(h, change);
  world.chain.mine([emits(1)]);
  await world.catchUp();
  await delivery.deliver();
  expect(other.received()).toBe(before + 1);
  open.commit();
  expect(await open.reply).toMatchObject({ status: 200 });
});

test("a change that is ended whenever it is repeated is rejected with its reason and changes nothing", async () => {
  const { faults } = h.app;
  h.app.faults = {
    hit: async (point) => {
      if (point !== "write.before_commit") return;
      const ended = sql`
        select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`;
      // The second time there is none, and the loss of the connection has been read.
      for (let found = 1; found > 0; ) found = (await ended.execute(h.app.db)).rows.length;
    },
  };
  const reply = await other.client.patch(`/contracts/${other.contract.id}`, { label: "Never" });
  h.app.faults = faults;
  expect([reply.status, reply.body]).toEqual([
    503,
    {
      code: "unavailable",
      detail: expect.stringContaining("Nothing was changed: try again, and divide a large document."),
    },
  ]);
  const { body } = await other.client.get(`/contracts/${other.contract.id}`);
  expect(body).toMatchObject({ label: other.contract.label });
});
