import { sql } from "kysely";
import { expect, test } from "vitest";
import { rollUp } from "../../../src/jobs/roll-up-samples.ts";
import { ensurePartition } from "../../../src/store/engine/partitions.ts";
import { seriesIdFor } from "../../../src/store/engine/series-id.ts";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import type { BacktestResult } from "../../../src/wire/contracts/live-metrics.ts";
import type { Tier } from "../../../src/wire/primitives.ts";
import { day, errorReply, join, unknownId } from "../../api/steps.ts";
import { harness } from "../../support/harness.ts";
import { runSize } from "../../support/run-size.ts";
import { makeDice } from "../dice.ts";
import { emits, freshWorld, transferSignature, type World } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });

const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };
const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
const nowSeconds = () => Math.ceil(h.clock.now().getTime() / 1000);

/** Repeats a back-test that exceeds the deadline of a request, as the reply asks for: a busy machine may be that slow. */
async function tryOut(world: World, body: object) {
  for (let attempt = 1; ; attempt++) {
    const reply = await world.owner.client.post("/alerts/backtest", body);
    if (reply.status !== 503 || attempt === 30) return reply;
  }
}

async function result(world: World, body: object): Promise<BacktestResult> {
  const reply = await tryOut(world, body);
  expect(reply.text).not.toContain('"code"');
  return reply.body as BacktestResult;
}

const timesOf = ({ fired_at, resolved_at }: { fired_at: string; resolved_at: string | null }) => [
  fired_at,
  resolved_at,
];

/** How many random rules are compared. */
const compared = runSize("BACKTEST_RULES", { short: 8, long: 100 });

test(`a back-test of ${compared} random rules finds the same episodes as the live engine`, async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(amounts);
  const dice = makeDice(7);
  const plans = Array.from({ length: compared }, (_, index) => ({
    condition: {
      operator: dice.pick([
        ...(["gt", "gte", "lt", "lte", "eq", "neq", "between", "outside"] as const),
        ...(["change_pct_gt", "change_pct_lt", "changed", "absent"] as const),
      ]),
      threshold: dice.between(-3, 8),
      threshold_high: dice.between(8, 15),
      aggregation: dice.pick(["last", "avg", "min", "max", "sum", "count", "rate", "p95"] as const),
      window_seconds: dice.pick([60, 120, 300]),
      ...(index % 5 === 0 && {
        match: { events: [{ signature: transferSignature, expression: "value >= 4" }] },
      }),
      // Which groups are absent is unknown.
      ...(index % 5 === 1 && { operator: "gte" as const, group_by: "args.value" }),
      ...(index % 5 === 2 && {
        [dice.pick(["all", "any"])]: [
          { target_id, operator: "gte", threshold: 3, aggregation: "count", window_seconds: 120 },
        ],
      }),
    },
    for_seconds: dice.pick([0, 0, 12, 36]),
    resolve_after_seconds: dice.pick([0, 0, 24]),
  }));
  const rules: string[] = [];
  for (const { condition, ...timing } of plans) rules.push(await world.rule(target_id, condition, timing));
  // Absence counts from the second at which the rule was created, and windows end at blocks.
  const from = Math.floor(nowSeconds() / 12) * 12;
  await h.app.db
    .updateTable("alert_rules")
    .set({ created_at: new Date(from * 1000) })
    .execute();
  await world.catchUp();
  world.chain.mine([], { time: from });
  for (let blocks = 0; blocks < 150; blocks++) {
    const count = dice.chance(0.5) ? 0 : dice.between(1, 3);
    const tx = emits(...Array.from({ length: count }, () => dice.between(0, 9)));
    world.chain.mine(count > 0 && !(blocks > 60 && blocks < 100) ? [tx] : []);
    if (dice.chance(0.2)) await world.catchUp();
  }
  await world.catchUp();
  const to = world.chain.tip.time + 1;
  let episodes = 0;
  for (const [index, { condition, ...timing }] of plans.entries()) {
    const events = (await world.owner.client.get(`/alerts/${rules[index]}/history`)).body as AlertEvent[];
    const tried = await result(world, { target_id, condition, ...timing, from: iso(from), to: iso(to) });
    events.reverse().sort(byStart);
    tried.episodes.sort(byStart);
    expect({ condition, timing, found: tried.episodes.map(timesOf) }).toEqual({
      condition,
      timing,
      found: events.map(timesOf),
    });
    expect(tried.episodes.map(({ value }) => value)).toEqual(events.map(({ value }) => value));
    episodes += events.length;
  }
  expect(episodes).toBeGreaterThan(compared);
});

type Started = { fired_at: string; group: string | null };

/** Groups that fire at the same time are in no order. */
function byStart(a: Started, b: Started): number {
  return a.fired_at.localeCompare(b.fired_at) || (a.group ?? "").localeCompare(b.group ?? "");
}

test("a back-test of an anomaly rule uses the day before the span as its baseline", async () => {
  const world = await freshWorld(h, nowSeconds() - 5 * day);
  const target_id = await world.watch(amounts);
  const condition = { operator: "anomaly", threshold: 3, aggregation: "count", window_seconds: 60 };
  const rule = await world.rule(target_id, condition);
  await world.catchUp();
  for (let minute = 0; minute < 300; minute++) {
    const count = minute === 290 ? 12 : 2 + (minute % 3);
    const time = world.chain.tip.time + 60;
    world.chain.mine([emits(...Array.from({ length: count }, () => 1))], { time });
  }
  await world.catchUp();
  const { time } = world.chain.tip;
  const events = (await world.owner.client.get(`/alerts/${rule}/history`)).body as AlertEvent[];
  const tried = await result(world, { target_id, condition, from: iso(time - 3600), to: iso(time + 1) });
  expect(events).toHaveLength(1);
  expect(tried.episodes.map(timesOf)).toEqual(events.map(timesOf));
});

test("the maximum span of a back-test depends on the tier", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(amounts);
  const condition = { operator: "gt", threshold: 1 };
  const spans: [Tier, number][] = [
    ["free", 1],
    ["pro", 7],
    ["team", 30],
    ["enterprise", 90],
  ];
  const to = nowSeconds();
  for (const [tier, days] of spans) {
    await h.setTier(world.owner.org_id, tier);
    const within = { target_id, condition, from: iso(to - days * day), to: iso(to) };
    expect(await tryOut(world, within)).toMatchObject({
      status: 200,
      body: { from: within.from, to: within.to },
    });
    const reply = await tryOut(world, { ...within, from: iso(to - days * day - 1) });
    expect(reply).toMatchObject({ status: 422 });
    expect(reply.text).toContain(`${days} days`);
    const { from, to: end } = await result(world, { target_id, condition });
    expect((Date.parse(end) - Date.parse(from)) / 1000).toBe(days * day);
  }
});

test("a back-test cannot start before the history of the tier", async () => {
  const world = await freshWorld(h);
  const body = { target_id: await world.watch(amounts), condition: { operator: "gt", threshold: 1 } };
  await h.setTier(world.owner.org_id, "free");
  const hour = (hoursAgo: number) => ({
    from: iso(nowSeconds() - hoursAgo * 3600),
    to: iso(nowSeconds() - (hoursAgo - 1) * 3600),
  });
  expect((await tryOut(world, { ...body, ...hour(7 * 24 - 1) })).status).toBe(200);
  const reply = await tryOut(world, { ...body, ...hour(7 * 24 + 1) });
  expect(reply).toMatchObject({ status: 422 });
  expect(reply.text).toContain("7 days of history");
});

test("a back-test uses minute or hour roll-ups where raw samples were deleted", async () => {
  const world = await freshWorld(h, Math.floor(nowSeconds() / 3600) * 3600 - 300 * day);
  const target_id = await world.watch(amounts);
  const start = world.chain.tip.time;
  await world.catchUp();
  for (let hours = 1; hours <= 10; hours++) {
    const values = hours === 7 ? [20, 30, 40] : [1, 2];
    world.chain.mine([emits(...values)], { time: start + hours * 3600 + 5 });
  }
  await world.catchUp();
  const condition = { operator: "gte", threshold: 90, aggregation: "sum", window_seconds: 300 };
  const body = { target_id, condition, from: iso(start), to: iso(start + 11 * 3600) };
  const raw = await result(world, body);
  expect(raw).toMatchObject({ samples: 21, episodes: [{ value: 90, fired_at: iso(start + 7 * 3600 + 5) }] });
  while ((await rollUp.run(h.app)).hasMore);
  await h.app.db.deleteFrom("samples").execute();
  expect(await result(world, body)).toMatchObject({
    samples: 10,
    episodes: [{ value: 90, fired_at: iso(start + 7 * 3600 + 59) }],
  });
  await h.app.db.deleteFrom("samples_minute").execute();
  expect(await result(world, body)).toMatchObject({
    samples: 10,
    episodes: [{ value: 90, fired_at: iso(start + 8 * 3600 - 1) }],
  });
});

test("a span that is empty or ends before it starts is rejected", async () => {
  const world = await freshWorld(h);
  const body = { target_id: await world.watch(amounts), condition: { operator: "gt", threshold: 1 } };
  const now = nowSeconds();
  for (const from of [now, now + 1]) {
    const reply = await tryOut(world, { ...body, from: iso(from), to: iso(now) });
    expect(reply).toMatchObject({ status: 422 });
  }
});

test("an invalid condition is rejected with the path of each error", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(amounts);
  const wrong: object[] = [
    { operator: "gt" },
    { operator: "gt", threshold: 1, window_seconds: 59 },
    { operator: "between", threshold: 2, threshold_high: 1 },
    { operator: "gt", threshold: 1, match: { expression: "value >" } },
    { operator: "gt", threshold: 1, match: { events: [{ signature: "Transfer(" }] } },
    { operator: "gt", threshold: 1, match: { events: [{ signature: transferSignature, expression: "(" }] } },
  ];
  for (const condition of wrong) {
    const reply = await tryOut(world, { target_id, condition });
    expect(reply).toMatchObject({ status: 422 });
    expect(reply.text).toContain("condition");
  }
});

test("a back-test applies a match to the stored evidence", async () => {
  const world = await freshWorld(h, nowSeconds() - 5 * day);
  const target_id = await world.watch(amounts);
  await world.catchUp();
  const block = world.chain.mine([emits(99), emits(100, 5), emits(300)]);
  world.chain.mine();
  await world.catchUp();
  const condition = {
    operator: "gte",
    threshold: 2,
    aggregation: "count",
    match: { events: [{ signature: transferSignature, expression: "value >= 100" }] },
  };
  const span = { from: iso(block.time - 60), to: iso(block.time + 60) };
  const tried = await result(world, { target_id, condition, ...span });
  expect(tried).toMatchObject({ samples: 2, episodes: [{ fired_at: iso(block.time), value: 2 }] });
  const other = { ...condition, match: { events: [{ signature: "Approval(address,address,uint256)" }] } };
  expect(await result(world, { target_id, condition: other, ...span })).toMatchObject({
    samples: 0,
    episodes: [],
  });
});

test("a back-test finds absence on a target without any readings", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(amounts);
  const from = nowSeconds() - 600;
  const condition = { operator: "absent", window_seconds: 60 };
  const tried = await result(world, { target_id, condition, from: iso(from), to: iso(from + 600) });
  expect(tried.episodes).toMatchObject([{ fired_at: iso(from + 60), resolved_at: null }]);
});

test("a back-test does not evaluate the future", async () => {
  const world = await freshWorld(h);
  const target_id = await world.watch(amounts);
  const now = nowSeconds();
  const body = { target_id, condition: { operator: "absent", window_seconds: 600 } };
  const tried = await result(world, { ...body, from: iso(now - 300), to: iso(now + day) });
  expect(tried).toMatchObject({ from: iso(now - 300), episodes: [] });
  expect(Date.parse(tried.to)).toBeLessThanOrEqual((nowSeconds() + 1) * 1000);
  const reply = await tryOut(world, { ...body, from: iso(now + day), to: iso(now + 2 * day) });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "from"] }] } });
});

test("missing readings while the chain is stalled do not count as absence", async () => {
  const world = await freshWorld(h, nowSeconds() - day);
  const target_id = await world.watch(amounts);
  await world.catchUp();
  const { time } = world.chain.mine([emits(1)]);
  world.chain.mine([], { time: time + 90 });
  await world.catchUp();
  const span = { from: iso(time - 1), to: iso(time + 3600) };
  const find = (window_seconds: number) =>
    result(world, { target_id, condition: { operator: "absent", window_seconds }, ...span });
  expect((await find(90)).episodes).toMatchObject([{ fired_at: iso(time + 90), resolved_at: null }]);
  expect((await find(91)).episodes).toEqual([]);
});

/** Stores a sample every few seconds, as if the engine had measured them. */
async function fill(org_id: string, target_id: string, count: number, seconds: number): Promise<number> {
  const start = nowSeconds() - count * seconds;
  for (let time = start; time < nowSeconds() + day; time += day)
    await ensurePartition(h.app.db, "samples", time);
  await sql`
    insert into samples (chain, series_id, org_id, height, at, position, value, subject)
    select 'local', ${seriesIdFor(target_id, 1)}, ${org_id}::uuid, n, to_timestamp(${start}::int8 + n * ${seconds}::int8), 0, 1, n
    from generate_series(1, ${count}::int) n`.execute(h.app.db);
  return start;
}

test("a back-test downsamples too many readings, and rejects those that it cannot downsample", async () => {
  const world = await freshWorld(h);
  const { org_id } = world.owner;
  const target_id = await world.watch(amounts);
  const [count, seconds, window_seconds] = [15_000, 11, 2 * day];
  const start = await fill(org_id, target_id, count, seconds);
  const condition = { operator: "gte", threshold: 12_000, aggregation: "count", window_seconds };
  const tried = await result(world, { target_id, condition, from: iso(start) });
  expect(tried.samples).toBeLessThan(count / 5);
  expect(tried.episodes).toHaveLength(1);
  const late = Date.parse(tried.episodes[0]?.fired_at ?? "") / 1000 - (start + 12_000 * seconds);
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(60);

  const contract = await world.owner.client.get("/contracts");
  const [{ id }] = contract.body as [{ id: string }];
  const callers = await world.owner.client.post(`/contracts/${id}/targets`, {
    target_type: "unique_callers",
  });
  const { id: callers_id } = callers.body as { id: string };
  await fill(org_id, callers_id, count, seconds);
  const distinct = { operator: "gte", threshold: 1, window_seconds };
  const reply = await tryOut(world, { target_id: callers_id, condition: distinct, from: iso(start) });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", "from"] }] } });
  const short = { target_id: callers_id, condition: distinct, from: iso(nowSeconds() - 3600) };
  expect((await tryOut(world, { ...short, condition: { ...distinct, window_seconds: 60 } })).status).toBe(
    200,
  );
});

test("the suggested threshold is one of the values and fires at most once a day", async () => {
  const world = await freshWorld(h, nowSeconds() - 5 * day);
  const target_id = await world.watch(amounts);
  await world.catchUp();
  const start = world.chain.tip.time;
  const dice = makeDice(3);
  for (let hours = 1; hours <= 72; hours++) {
    world.chain.mine([emits(hours === 50 ? 1000 : dice.between(1, 100))], { time: start + hours * 3600 });
  }
  await world.catchUp();
  const span = { from: iso(start), to: iso(start + 72 * 3600 + 1) };
  for (const operator of ["gt", "gte", "lt", "lte"]) {
    const upper = operator.startsWith("g");
    const condition = { operator, threshold: upper ? 20 : 80, aggregation: "last", window_seconds: 300 };
    const tried = await result(world, { target_id, condition, ...span });
    expect(tried.fires_per_day).toBeGreaterThan(1);
    const threshold = tried.suggested_threshold;
    expect(threshold).not.toBeNull();
    const again = await result(world, { target_id, condition: { ...condition, threshold }, ...span });
    expect(again.fires_per_day).toBeLessThanOrEqual(1);
  }
  const none = await result(world, { target_id, condition: { operator: "changed" }, ...span });
  expect(none.suggested_threshold).toBeNull();
});

test("a back-test needs a visible target and the permission to write rules", async () => {
  const world = await freshWorld(h);
  const body = { target_id: await world.watch(amounts), condition: { operator: "gt", threshold: 1 } };
  const stranger = await h.person();
  const notFound = errorReply(404, "not_found");
  expect(await stranger.client.post("/alerts/backtest", body)).toMatchObject(notFound);
  expect(await tryOut(world, { ...body, target_id: unknownId })).toMatchObject(notFound);
  const viewer = await join(h, world.owner, "viewer");
  await viewer.client.post(`/orgs/${world.owner.org_id}/switch`);
  expect(await viewer.client.post("/alerts/backtest", body)).toMatchObject(errorReply(403, "role_required"));
  const member = await join(h, world.owner, "member");
  await member.client.post(`/orgs/${world.owner.org_id}/switch`);
  expect((await member.client.post("/alerts/backtest", body)).status).toBe(200);
  expect((await h.anonymous().post("/alerts/backtest", body)).status).toBe(401);
});

test("a back-test changes nothing in the database", async () => {
  const world = await freshWorld(h, nowSeconds() - 5 * day);
  const target_id = await world.watch(amounts);
  await world.catchUp();
  const { time } = world.chain.mine([emits(5)]);
  await world.catchUp();
  const condition = { operator: "gt", threshold: 1 };
  const tried = await result(world, { target_id, condition, from: iso(time - 60), to: iso(time + 60) });
  expect(tried.episodes).toHaveLength(1);
  expect(await world.events()).toEqual([]);
  expect(await world.notices()).toEqual([]);
  expect((await world.owner.client.get("/alerts")).body).toEqual([]);
});

test("a back-test of each finds the same occurrences as the live engine", async () => {
  const world = await freshWorld(h, nowSeconds() - 3600);
  const target_id = await world.watch(amounts);
  const condition = { operator: "gt", threshold: 50, aggregation: "each" };
  const rule = await world.rule(target_id, condition);
  await world.catchUp();
  const { time } = world.chain.tip;
  world.chain.mine([emits(60, 40), emits(70)]);
  world.chain.mine([emits(80)]);
  await world.catchUp();
  const events = (await world.owner.client.get(`/alerts/${rule}/history`)).body as AlertEvent[];
  const tried = await result(world, { target_id, condition, from: iso(time), to: iso(time + 600) });
  expect(tried.episodes).toEqual(
    events
      .toSorted((a, b) => (a.value ?? 0) - (b.value ?? 0))
      .map(({ fired_at, value, tx_hash }) => ({ fired_at, resolved_at: null, value, tx_hash, group: null })),
  );
  expect(tried.episodes).toHaveLength(3);
});

test("a back-test names the part of its range that has data, and computes its rate from it", async () => {
  const world = await freshWorld(h, nowSeconds() - 7200);
  const target_id = await world.watch(amounts);
  await world.catchUp();
  const block = world.chain.mine([emits(1)], { time: world.chain.tip.time + 600 });
  const last = world.chain.mine([], { time: block.time + 3600 });
  await world.catchUp();
  const condition = { operator: "gte", threshold: 1, aggregation: "count", window_seconds: 60 };
  const range = { from: iso(block.time - 36_000), to: iso(last.time + 10) };
  const tried = await result(world, { target_id, condition, ...range });
  expect(tried).toMatchObject({ ...range, data_from: iso(block.time), data_to: iso(last.time + 1) });
  expect(tried.fires_per_day).toBeCloseTo(24 * (3600 / 3601), 5);
  const earlier = { from: iso(block.time - 36_000), to: iso(block.time - 30_000) };
  expect(await result(world, { target_id, condition, ...earlier })).toMatchObject({
    data_from: null,
    data_to: null,
    episodes: [],
  });
});
