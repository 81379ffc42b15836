import { expect, test } from "vitest";
import { harness } from "../support/harness.ts";
import { txHash } from "./scripted-chain.ts";
import { emits, freshWorld, tokenAddress, transferSignature, type World } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };
const any = { operator: "gte", threshold: 1, window_seconds: 60 };
/** Fires while the newest amount is above 10, which makes episodes of single blocks easy to write. */
const high = { operator: "gt", threshold: 10, aggregation: "last", window_seconds: 600 };

const kinds = async (world: World) => (await world.notices()).map((notice) => notice.kind);

/** Mines one block per amount, processed one by one or all at once. */
async function play(world: World, script: number[], processing: "one by one" | "at once" = "at once") {
  for (const amount of script) {
    world.chain.mine([emits(amount)]);
    if (processing === "one by one") await world.catchUp();
  }
  await world.catchUp();
}

async function watching(target: object, condition: object, more: object) {
  const world = await freshWorld(h);
  const rule = await world.rule(await world.watch(target as typeof transfers), condition, more);
  await world.catchUp();
  return { world, rule };
}

test("the cooldown limits notices, never the history", async () => {
  const { world } = await watching(amounts, high, { cooldown_seconds: 48, notify_on_resolve: false });
  await play(world, [11, 1, 11, 1, 11, 1, 11], "one by one");
  const events = (await world.events()).reverse();
  expect(events).toHaveLength(4);
  // At 0, 24, 48 and 72 seconds: the third fires exactly when the cooldown ends, and starts it again.
  const notified = (await world.notices()).map((notice) => notice.event_id);
  expect(notified).toEqual([events[0]?.id, events[2]?.id]);
});

test("an event that fires during the cooldown and lasts is notified once when the cooldown ends", async () => {
  const { world } = await watching(amounts, high, { cooldown_seconds: 60 });
  await play(world, [11, 1, 11], "one by one");
  expect(await kinds(world)).toEqual(["fired", "resolved"]);
  for (let blocks = 0; blocks < 3; blocks++) world.chain.mine();
  await world.catchUp();
  const [second] = await world.events();
  expect((await world.notices()).slice(2)).toMatchObject([{ kind: "fired", event_id: second?.id }]);
  for (let blocks = 0; blocks < 10; blocks++) world.chain.mine();
  await play(world, [1]);
  expect(await kinds(world)).toEqual(["fired", "resolved", "fired", "resolved"]);
});

test("an event that was not notified gets no notice of its resolution", async () => {
  const { world } = await watching(amounts, high, { cooldown_seconds: 3600 });
  await play(world, [11, 1, 11, 1], "one by one");
  expect((await world.events()).map((event) => event.status)).toEqual(["resolved", "resolved"]);
  expect(await kinds(world)).toEqual(["fired", "resolved"]);
});

test("reminders are sent at the first block after each interval, until the event resolves", async () => {
  const { world } = await watching(amounts, high, { renotify_seconds: 60 });
  await play(world, [11, 11, 11, 11, 11], "one by one");
  expect(await kinds(world)).toEqual(["fired"]);
  await play(world, [11]);
  expect(await kinds(world)).toEqual(["fired", "renotified"]);
  world.chain.mine();
  await world.catchUp();
  for (let blocks = 0; blocks < 5; blocks++) world.chain.mine();
  await world.catchUp();
  expect((await world.notices()).map(({ kind, occurrence }) => [kind, occurrence])).toEqual([
    ["fired", 0],
    ["renotified", 1],
    ["renotified", 2],
  ]);
  await play(world, [1]);
  for (let blocks = 0; blocks < 20; blocks++) world.chain.mine();
  await world.catchUp();
  expect(await kinds(world)).toEqual(["fired", "renotified", "renotified", "resolved"]);
});

test("notify_on_resolve: false suppresses the notice of the resolution", async () => {
  const { world } = await watching(amounts, high, { notify_on_resolve: false });
  await play(world, [11, 1]);
  expect((await world.events())[0]?.status).toBe("resolved");
  expect(await kinds(world)).toEqual(["fired"]);
});

test("a shadow rule writes no notices, not even reminders or resolutions", async () => {
  const more = { mode: "shadow", renotify_seconds: 60, confirmations: 2 };
  const { world } = await watching(amounts, high, more);
  await play(world, [11, 11, 11, 11, 11, 11, 11, 1, 1, 1]);
  expect((await world.events()).map((event) => event.status)).toEqual(["resolved"]);
  expect(await world.notices()).toEqual([]);
});

test("confirmations of safe or finalized hold an event until its block is that", async () => {
  for (const confirmations of ["safe", "finalized"] as const) {
    const { world } = await watching(transfers, { ...any, window_seconds: 600 }, { confirmations });
    world.chain.settledAt = { safe: 100, finalized: 100 };
    const block = world.chain.mine([emits(1)]);
    await world.catchUp();
    expect(await world.events()).toEqual([]);
    world.chain.settledAt = { safe: block.height, finalized: block.height - 1 };
    world.chain.mine();
    await world.catchUp();
    expect(await kinds(world)).toEqual(confirmations === "safe" ? ["fired"] : []);
    world.chain.settledAt = { safe: block.height, finalized: block.height };
    world.chain.mine();
    await world.catchUp();
    expect(await kinds(world)).toEqual(["fired"]);
    expect(await world.events()).toMatchObject([{ block_number: block.height, status: "firing" }]);
  }
});

test("the finality of an event follows its block from pending to safe to finalized", async () => {
  const { world } = await watching(transfers, { ...any, window_seconds: 600 }, {});
  const finality = async () => (await world.events())[0]?.finality;
  world.chain.settledAt = { safe: 100, finalized: 100 };
  const { height } = world.chain.mine([emits(1)]);
  await world.catchUp();
  expect(await finality()).toBe("pending");
  world.chain.settledAt = { safe: height, finalized: height - 1 };
  world.chain.mine();
  await world.catchUp();
  expect(await finality()).toBe("safe");
  world.chain.settledAt = { safe: height, finalized: height };
  world.chain.mine();
  await world.catchUp();
  expect(await finality()).toBe("finalized");
});

test("the chain's finality depth applies when nodes do not report finality", async () => {
  const { world } = await watching(transfers, { ...any, window_seconds: 600 }, {});
  world.chain.mine([emits(1)]);
  world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]?.finality).toBe("pending");
  world.chain.mine();
  await world.catchUp();
  expect((await world.events())[0]?.finality).toBe("finalized");
});

test("an event that resolves before its confirmations is notified with both notices at once", async () => {
  const { world } = await watching(amounts, high, { confirmations: 3, renotify_seconds: 60 });
  await play(world, [11, 1], "one by one");
  expect(await world.notices()).toEqual([]);
  await play(world, [1, 1], "one by one");
  expect((await world.events()).map((event) => event.status)).toEqual(["resolved"]);
  expect((await kinds(world)).sort()).toEqual(["fired", "resolved"]);
});

test("no reminders are sent for an event that awaits confirmations", async () => {
  const { world } = await watching(amounts, high, { confirmations: 8, renotify_seconds: 60 });
  await play(world, [11, 11, 11, 11, 11, 11, 11, 11], "one by one");
  expect(await world.notices()).toEqual([]);
  await play(world, [11], "one by one");
  expect(await kinds(world)).toEqual(["fired"]);
});

test("the cooldown also applies to a rule with confirmations", async () => {
  const more = { confirmations: 1, cooldown_seconds: 3600, notify_on_resolve: false };
  const { world } = await watching(amounts, high, more);
  await play(world, [11, 1, 11, 1, 1], "one by one");
  expect(await world.events()).toHaveLength(2);
  expect(await kinds(world)).toEqual(["fired"]);
});

test("a confirmed event that was retracted and fires again is notified again", async () => {
  const { world } = await watching(transfers, { ...any, window_seconds: 600 }, { confirmations: 1 });
  const base = world.chain.mine();
  const tx = emits(1);
  world.chain.mine([tx]);
  world.chain.mine();
  await world.catchUp();
  expect(await kinds(world)).toEqual(["fired"]);
  for (let blocks = 0; blocks < 3; blocks++)
    world.chain.mine([], { salt: 1, ...(blocks === 0 && { on: base }) });
  await world.catchUp();
  expect(await kinds(world)).toEqual(["fired", "retracted"]);
  world.chain.mine([tx], { on: base, salt: 2 });
  for (let blocks = 0; blocks < 4; blocks++) world.chain.mine();
  await world.catchUp();
  expect((await world.events()).map((event) => event.status)).toEqual(["firing"]);
  expect(await kinds(world)).toEqual(["fired", "retracted", "fired"]);
});

test("an acknowledged event resolves like any other", async () => {
  const { world } = await watching(amounts, high, {});
  await play(world, [11]);
  const [event] = await world.events();
  expect((await world.owner.client.post(`/alerts/events/${event?.id}/acknowledge`)).status).toBe(200);
  await play(world, [11]);
  expect((await world.events()).map((one) => one.status)).toEqual(["acknowledged"]);
  const { time } = world.chain.tip;
  await play(world, [1]);
  expect(await world.events()).toMatchObject([
    {
      status: "resolved",
      acknowledged_by: world.owner.user.id,
      resolved_at: new Date((time + 12) * 1000).toISOString(),
    },
  ]);
  expect(await kinds(world)).toEqual(["fired", "acknowledged", "resolved"]);
});

test("an acknowledgement survives a reorganisation if the event does", async () => {
  const { world } = await watching(amounts, high, {});
  await play(world, [11]);
  const [event] = await world.events();
  await world.owner.client.post(`/alerts/events/${event?.id}/acknowledge`);
  const base = world.chain.tip;
  await play(world, [1]);
  expect((await world.events())[0]?.status).toBe("resolved");
  world.chain.mine([], { on: base, salt: 1 });
  world.chain.mine();
  await world.catchUp();
  expect(await world.events()).toMatchObject([{ status: "acknowledged", resolved_at: null }]);
});

test("an event keeps the severity, agent and name that its rule had", async () => {
  const agent_id = "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42";
  const { world, rule } = await watching(amounts, high, { severity: "warning", agent_id, name: "Big ones" });
  await play(world, [11]);
  await world.owner.client.patch(`/alerts/${rule}`, { severity: "info", agent_id: null, name: "Other" });
  const copied = { severity: "warning", agent_id, rule_name: "Big ones", rule_id: rule };
  expect(await world.events()).toMatchObject([copied]);
  const found = await world.owner.client.get("/alerts/history", { query: { agent_id } });
  expect(found.body).toMatchObject([copied]);
});

test("a message template is filled in, and unknown names are left as they are", async () => {
  const message_template =
    "{{rule}}|{{ value }}|{{threshold}}|{{unit}}|{{contract}}|{{address}}|{{chain}}|{{severity}}|{{tx_hash}}|{{nonsense}}|{{constructor}}";
  const { world } = await watching(amounts, high, { name: "$& big" });
  // Such a template is no longer accepted, but older ones exist.
  await world.h.app.db.updateTable("alert_rules").set({ message_template }).execute();
  await world.restart();
  const tx = emits(11);
  world.chain.mine([tx]);
  await world.catchUp();
  expect((await world.events())[0]?.message).toBe(
    `$& big|11|10|units|Token|${tokenAddress}|Local development node|critical|${txHash(tx.id)}|{{nonsense}}|{{constructor}}`,
  );
});

test("the explanation contains the clause, the samples, the decoded event and links", async () => {
  const { world } = await watching(amounts, { ...high, aggregation: "sum" }, {});
  const [first, second] = [emits(4), emits(7, 100)];
  const block = world.chain.mine([first, second]);
  await world.catchUp();
  const [event] = await world.events();
  expect(event).toMatchObject({
    value: 111,
    tx_hash: txHash(second.id),
    log_index: 1,
    title: "Token on Local development node: value of Transfer adds up to 111 in 10 min",
    message:
      "Token on Local development node: value of Transfer adds up to 111 in 10 min. The rule “Value in events above 10” fires above 10.",
    explanation: {
      reason: "first_breach",
      clause: "sum over 600 s is 111: above 10",
      samples_in_window: 3,
      samples: [
        { time: block.time, value: 4, tx_hash: txHash(first.id) },
        { time: block.time, value: 7, tx_hash: txHash(second.id) },
        { time: block.time, value: 100, tx_hash: txHash(second.id) },
      ],
      decoded: { name: "Transfer", args: { value: "7" } },
      baseline: null,
      links: { address: null, tx: null },
    },
  });
});

test("an explanation contains the newest samples of a long window and their total number", async () => {
  const { world } = await watching(amounts, { ...high, threshold: 29, aggregation: "count" }, {});
  await play(
    world,
    Array.from({ length: 30 }, (_, index) => index),
  );
  const explanation = (await world.events())[0]?.explanation as { samples: { value: number }[] };
  expect(explanation).toMatchObject({ samples_in_window: 30 });
  expect(explanation.samples.map(({ value }) => value)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 10),
  );
});
