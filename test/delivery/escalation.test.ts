import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { escalateAlerts } from "../../src/domain/alerts/escalate.ts";
import { scheduleSteps } from "../../src/store/alerts/escalations.ts";
import type { Channel } from "../../src/wire/channels/channels.ts";
import { recordEvent } from "../api/contracts/contract-steps.ts";
import { type Dice, makeDice } from "../pipeline/dice.ts";
import { holdAtCommit } from "../support/hold-at-commit.ts";
import { runSize } from "../support/run-size.ts";
import { fire, type Household, makeWorld, notify, settleEvent } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

const kindsAt = (path: string) => sink.at(path).map(({ kind }) => kind);
const acknowledge = ({ owner }: Pick<Household, "owner">, id: string) =>
  owner.client.post(`/alerts/events/${id}/acknowledge`, {});

/** Lets time pass in steps, in each of which due steps are notified and messages are sent. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    h.clock.advance(5);
    await escalateAlerts(h.app);
    await world.deliver();
  }
}

/** An org with a rule that notifies a first channel, and escalates to a second and a third. */
async function escalating(name: string) {
  const home = await world.household();
  const channels: Channel[] = [];
  for (const step of [0, 1, 2]) channels.push(await home.channel(`/${name}/${step}`));
  const [first, second, third] = channels.map(({ id }) => id);
  const reply = await home.owner.client.patch(`/alerts/${home.rule.id}`, {
    channel_id: first,
    escalation: [
      { after_seconds: 30, channel_ids: [second] },
      { after_seconds: 60, channel_ids: [second, third] },
    ],
  });
  expect(reply.status).toBe(200);
  return { ...home, channels, paths: [0, 1, 2].map((step) => `/${name}/${step}`) };
}

const setSteps = async ({ owner, rule }: Pick<Household, "owner" | "rule">, escalation: object[]) =>
  expect((await owner.client.patch(`/alerts/${rule.id}`, { escalation })).status).toBe(200);

const received = (paths: string[]) => paths.map(kindsAt);

test("while a request acknowledges alerts of an org, those of others escalate", async () => {
  const [busy, other] = [await escalating("busy"), await escalating("other")];
  const event = await fire(world, busy);
  await fire(world, other);
  await world.deliver();
  const body = { event_ids: [event] };
  const open = await holdAtCommit(h, () => busy.owner.client.post("/alerts/events/acknowledge", body));
  await pass(30);
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`.execute(
    h.app.db,
  );
  open.commit();
  expect(received(other.paths)).toEqual([["fired"], ["escalated"], []]);
  // They have not waited until its transaction was ended.
  expect(rows).toHaveLength(1);
  expect(await open.reply).toMatchObject({ status: 200, body: { acknowledged: [event] } });
});

test("an alert that nobody acknowledges goes to the channels of each step in turn, once", async () => {
  const home = await escalating("steps");
  await fire(world, home);
  await world.deliver();
  await pass(25);
  expect(received(home.paths)).toEqual([["fired"], [], []]);
  await pass(5);
  expect(received(home.paths)).toEqual([["fired"], ["escalated"], []]);
  await pass(120);
  expect(received(home.paths)).toEqual([["fired"], ["escalated", "escalated"], ["escalated"]]);
});

test("an alert that escalates while the service is upgraded goes on with its next step", async () => {
  const home = await escalating("upgraded");
  const event_id = await fire(world, home);
  await world.deliver();
  await pass(35);
  // Before migration 0051, steps were numbered by their position.
  const { db } = h.app;
  await sql`update escalations set step = 1 where event_id = ${event_id}`.execute(db);
  await sql`update alert_notices set occurrence = 0 where event_id = ${event_id} and kind = 'escalated'`.execute(
    db,
  );
  const file = new URL("../../src/store/migrations/0051_escalation_steps.sql", import.meta.url);
  // It would number the steps of alerts of other tests again.
  await sql`delete from alert_notices where event_id <> ${event_id} and kind = 'escalated'`.execute(db);
  await sql.raw(readFileSync(file, "utf8")).execute(db);
  const { rows } = await sql`
    select step, (select occurrence from alert_notices n where n.event_id = e.event_id and kind = 'escalated')
    from escalations e where event_id = ${event_id}`.execute(db);
  expect(rows).toEqual([{ step: 60, occurrence: 30 }]);
  await pass(60);
  expect(received(home.paths)).toEqual([["fired"], ["escalated", "escalated"], ["escalated"]]);
});

test("acknowledging stops the escalation, also for the step that is due now, and all who were notified hear of it", async () => {
  const home = await escalating("acknowledged");
  const id = await fire(world, home);
  await world.deliver();
  await pass(35);
  h.clock.advance(30);
  expect((await acknowledge(home, id)).status).toBe(200);
  await pass(120);
  expect(received(home.paths)).toEqual([["fired", "acknowledged"], ["escalated", "acknowledged"], []]);
});

test.each(["resolved", "retracted"] as const)("an alert that is %s does not escalate", async (status) => {
  const home = await escalating(status);
  const id = await fire(world, home);
  await world.deliver();
  await settleEvent(world, id, status);
  await notify(world, home, id, status);
  await pass(120);
  expect(received(home.paths)).toEqual([["fired", status], [], []]);
});

test("an alert that fires again after a reorganisation escalates from the first step", async () => {
  const home = await escalating("again");
  const id = await fire(world, home);
  await world.deliver();
  await pass(35);
  await settleEvent(world, id, "retracted");
  await notify(world, home, id, "retracted");
  await settleEvent(world, id, "firing");
  await notify(world, home, id, "fired", 1);
  await world.deliver();
  await pass(70);
  expect(kindsAt("/again/1")).toEqual(["escalated", "retracted", "escalated", "escalated"]);
});

describe("a step that becomes due during a silence", () => {
  /** An alert that fires, and is then silenced for 100 seconds, in which both steps become due. */
  async function silenced(name: string) {
    const home = await escalating(name);
    const event_id = await fire(world, home);
    await world.deliver();
    const ends_at = new Date(h.clock.now().getTime() + 100_000).toISOString();
    const body = { contract_id: home.contract.id, reason: "works", ends_at };
    const silence = await home.owner.client.post("/silences", body);
    expect(silence.status).toBe(201);
    await pass(90);
    expect(received(home.paths)).toEqual([["fired"], [], []]);
    return { ...home, event_id, silence_id: (silence.body as { id: string }).id };
  }

  test("is sent when the silence ends, once", async () => {
    const home = await silenced("silenced");
    await pass(60);
    expect(received(home.paths)).toEqual([["fired"], ["escalated", "escalated"], ["escalated"]]);
  });

  test("is sent when the silence is lifted", async () => {
    const home = await silenced("lifted");
    await home.owner.client.delete(`/silences/${home.silence_id}`);
    await pass(5);
    expect(received(home.paths)).toEqual([["fired"], ["escalated", "escalated"], ["escalated"]]);
  });

  test.each(["acknowledged", "resolved"] as const)(
    "is not sent if the alert was %s meanwhile",
    async (end) => {
      const home = await silenced(`silenced-${end}`);
      if (end === "acknowledged") expect((await acknowledge(home, home.event_id)).status).toBe(200);
      else {
        await settleEvent(world, home.event_id, end);
        await notify(world, home, home.event_id, end);
      }
      await pass(60);
      expect(received(home.paths)).toEqual([["fired", end], [], []]);
    },
  );
});

test("steps that were changed while an alert escalates apply from then on", async () => {
  const home = await escalating("changed");
  await fire(world, home);
  await world.deliver();
  await pass(10);
  const third = home.channels[2]?.id;
  await home.owner.client.patch(`/alerts/${home.rule.id}`, {
    escalation: [{ after_seconds: 40, channel_ids: [third] }],
  });
  await pass(120);
  expect(received(home.paths)).toEqual([["fired"], [], ["escalated"]]);
});

test("a channel of a step cannot be deleted unnoticed, and a replacement takes its place", async () => {
  const home = await escalating("in-use");
  const [, second, third] = home.channels.map(({ id }) => id);
  const { client } = home.owner;
  const ruleOf = async () => (await client.get(`/alerts/${home.rule.id}`)).body as Household["rule"];
  expect((await client.delete(`/channels/${second}`)).body).toMatchObject({ code: "channel_in_use" });
  expect(
    (await client.delete(`/channels/${second}`, { query: { replace_with: third as string } })).status,
  ).toBe(200);
  expect((await ruleOf()).escalation).toEqual([
    { after_seconds: 30, channel_ids: [third] },
    { after_seconds: 60, channel_ids: [third] },
  ]);
  expect((await client.delete(`/channels/${third}`, { query: { force: "true" } })).status).toBe(200);
  expect(await ruleOf()).toMatchObject({ escalation: [], record_only: false });
});

test.each([
  [[{ after_seconds: 4, channel_ids: ["own"] }], ["escalation", 0, "after_seconds"]],
  [[{ after_seconds: 5, channel_ids: [] }], ["escalation", 0, "channel_ids"]],
  [
    [
      { after_seconds: 60, channel_ids: ["own"] },
      { after_seconds: 60, channel_ids: ["own"] },
    ],
    ["escalation", 1, "after_seconds"],
  ],
  [
    [{ after_seconds: 5, channel_ids: ["00000000-0000-7000-8000-000000000000"] }],
    ["escalation", 0, "channel_ids", 0],
  ],
])("a step that cannot be is refused: %j", async (steps, loc) => {
  const home = await world.household();
  const channel = await home.channel("/refused");
  const escalation = JSON.parse(JSON.stringify(steps).replaceAll('"own"', `"${channel.id}"`));
  const reply = await home.owner.client.patch(`/alerts/${home.rule.id}`, {
    channel_id: channel.id,
    escalation,
  });
  expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc: ["body", ...loc] }] } });
});

test("a rule that only records has no escalation", async () => {
  const home = await world.household();
  const channel = await home.channel("/record-only");
  const reply = await home.owner.client.patch(`/alerts/${home.rule.id}`, {
    escalation: [{ after_seconds: 5, channel_ids: [channel.id] }],
  });
  expect(reply.text).toContain("cannot be true for a rule with an escalation");
});

test("configuration names the channels of steps, and a second apply changes nothing", async () => {
  const home = await escalating("document");
  const document = (await home.owner.client.get("/config")).body as object;
  expect(JSON.stringify(document)).toContain('"escalation":[{"after_seconds":30,"channels":["/document/1"]}');
  const same = await home.owner.client.post("/config/apply", document);
  expect(same.body).toMatchObject({ changes: [], errors: [] });
});

test("steps that are added while an alert fires count from its beginning, and those that are late come at once", async () => {
  const home = await escalating("added");
  const [, second, third] = home.channels.map(({ id }) => id);
  await setSteps(home, []);
  await fire(world, home);
  await world.deliver();
  await pass(50);
  await setSteps(home, [
    { after_seconds: 20, channel_ids: [second] },
    { after_seconds: 60, channel_ids: [third] },
  ]);
  await pass(5);
  expect(received(home.paths)).toEqual([["fired"], ["escalated"], []]);
  await pass(5);
  expect(received(home.paths)).toEqual([["fired"], ["escalated"], ["escalated"]]);
  // The last step was sent; a further one still follows.
  await setSteps(home, [{ after_seconds: 90, channel_ids: [second] }]);
  await pass(25);
  expect(kindsAt("/added/1")).toEqual(["escalated"]);
  await pass(5);
  expect(kindsAt("/added/1")).toEqual(["escalated", "escalated"]);
});

test("an escalation step whose time is changed becomes due at the new time", async () => {
  const home = await escalating("moved");
  await fire(world, home);
  await world.deliver();
  await setSteps(home, [{ after_seconds: 45, channel_ids: [home.channels[1]?.id] }]);
  await pass(40);
  expect(kindsAt("/moved/1")).toEqual([]);
  await pass(5);
  expect(kindsAt("/moved/1")).toEqual(["escalated"]);
});

test("steps that are added later do not report the occurrences of the past", async () => {
  const home = await escalating("past");
  const [, second, third] = home.channels.map(({ id }) => id);
  await setSteps(home, []);
  await fire(world, home, { status: "occurred", is_occurrence: true });
  await world.deliver();
  await pass(50);
  await setSteps(home, [
    { after_seconds: 20, channel_ids: [second] },
    { after_seconds: 60, channel_ids: [third] },
  ]);
  await pass(60);
  expect(received(home.paths)).toEqual([["fired"], [], ["escalated"]]);
});

test("an occurrence that a cooldown keeps quiet does not escalate, because nobody was notified of it", async () => {
  const home = await escalating("quiet");
  await recordEvent(h, home.owner.org_id, home, { status: "occurred", is_occurrence: true, is_silent: true });
  await pass(35);
  await setSteps(home, [{ after_seconds: 40, channel_ids: [home.channels[1]?.id] }]);
  await pass(60);
  expect(received(home.paths)).toEqual([[], [], []]);
});

test("an alert whose end a reorganisation removes escalates further", async () => {
  const home = await escalating("reopened");
  const id = await fire(world, home);
  await world.deliver();
  await settleEvent(world, id, "resolved");
  await pass(35);
  await settleEvent(world, id, "firing");
  await scheduleSteps(h.app.db, { event_ids: [id] }, h.clock.now());
  await pass(60);
  expect(received(home.paths)).toEqual([["fired"], ["escalated", "escalated"], ["escalated"]]);
});

const seeds = runSize("ESCALATION_SEEDS", { short: 1, long: 300 });
const firstSeed = Number(process.env.ESCALATION_SEED ?? 1);

test(`random alerts escalate as a naive model says (${seeds} seeds)`, async () => {
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) await compareWithModel(seed);
});

type Step = { after_seconds: number; channels: number[] };
/** An alert in the model: since when its steps count, and the last step that was sent. */
type Modelled = {
  id: string;
  status: string;
  isAcknowledged: boolean;
  since: number;
  sent: number;
  round: number;
};

/** Random alerts, acknowledgements, ends, reorganisations, crashes and changes of the rule, against a model without a schedule. */
async function compareWithModel(seed: number): Promise<void> {
  const dice = makeDice(seed);
  const home = await escalating(`random-${seed}`);
  const expected = [0, 0, 0];
  const alerts: Modelled[] = [];
  let steps: Step[] = [
    { after_seconds: 30, channels: [1] },
    { after_seconds: 60, channels: [1, 2] },
  ];
  const is = ({ status, isAcknowledged }: Modelled, ...wanted: string[]) =>
    !isAcknowledged && wanted.includes(status);
  const some = (...wanted: string[]) => {
    const found = alerts.filter((alert) => is(alert, ...wanted));
    return found.length > 0 ? dice.pick(found) : undefined;
  };
  const become = async (alert: Modelled, status: "firing" | "resolved" | "retracted") => {
    alert.status = status;
    await settleEvent(world, alert.id, status);
  };
  for (let now = 0; now < 240; now += 5) {
    const action = dice.between(0, 9);
    if (action < 2) {
      const status = dice.pick(["firing", "occurred"] as const);
      const id = await fire(world, home, { status, is_occurrence: status === "occurred" });
      alerts.push({ id, status, isAcknowledged: false, since: now, sent: 0, round: 0 });
      expected[0] = (expected[0] ?? 0) + 1;
    } else if (action === 2) {
      const alert = some("firing", "occurred");
      if (alert) alert.isAcknowledged = (await acknowledge(home, alert.id)).status === 200;
    } else if (action === 3) {
      const alert = some("firing");
      if (alert) await become(alert, "resolved");
    } else if (action === 4) {
      const alert = some("resolved");
      if (alert) {
        await become(alert, "firing");
        await scheduleSteps(h.app.db, { event_ids: [alert.id] }, h.clock.now());
      }
    } else if (action === 5) {
      const alert = some("firing");
      if (alert) {
        await become(alert, "retracted");
        await notify(world, home, alert.id, "retracted", alert.round);
      }
    } else if (action === 6) {
      const alert = some("retracted");
      if (alert) {
        await become(alert, "firing");
        await notify(world, home, alert.id, "fired", alert.round + 1);
        Object.assign(alert, { since: now, sent: 0, round: alert.round + 1 });
        expected[0] = (expected[0] ?? 0) + 1;
      }
    } else if (action === 7) {
      steps = randomSteps(dice);
      const escalation = steps.map(({ after_seconds, channels }) => ({
        after_seconds,
        channel_ids: channels.map((at) => home.channels[at]?.id),
      }));
      await setSteps(home, escalation);
      // An occurrence has no end: steps whose time has passed are not sent late.
      for (const alert of alerts.filter((modelled) => modelled.status === "occurred")) {
        const passed = steps.filter(({ after_seconds }) => alert.since + after_seconds <= now);
        alert.sent = Math.max(alert.sent, ...passed.map(({ after_seconds }) => after_seconds));
      }
    }
    await world.deliver();
    h.clock.advance(5);
    if (dice.chance(0.2)) await crashWhileEscalating();
    // As often as a rule has steps: each run sends one of an alert.
    for (let run = 0; run < 3; run++) await escalateAlerts(h.app);
    await world.deliver();
    for (const alert of alerts.filter((modelled) => is(modelled, "firing", "occurred"))) {
      for (const { after_seconds, channels } of steps) {
        if (after_seconds <= alert.sent || now + 5 - alert.since < after_seconds) continue;
        alert.sent = after_seconds;
        for (const at of channels) expected[at] = (expected[at] ?? 0) + 1;
      }
    }
    const found = home.paths.map(
      (path) => kindsAt(path).filter((kind) => /fired|escalated/.test(kind)).length,
    );
    expect({ seed, now, found }).toEqual({ seed, now, found: expected });
  }
}

function randomSteps(dice: Dice): Step[] {
  const times = [10, 20, 30, 45, 60, 90].filter(() => dice.chance(0.4)).slice(0, 3);
  return times.map((after_seconds) => ({ after_seconds, channels: dice.pick([[1], [2], [1, 2]]) }));
}

/** The process dies after it has claimed steps, if any is due, and before it commits. */
async function crashWhileEscalating(): Promise<void> {
  const random = {
    bytes(): never {
      throw new Error("killed");
    },
  };
  await escalateAlerts({ ...h.app, random }).catch((error: Error) => expect(error.message).toBe("killed"));
}

test("a step of one org is notified in the first round although thousands of another org are due before it", async () => {
  const [many, one] = [await escalating("many"), await escalating("one")];
  for (const home of [many, one]) await fire(world, home);
  await world.deliver();
  await sql`
    with copies as (
      insert into alert_events select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'observation', n))).*
      from alert_events e, generate_series(1, 2000) n where e.org_id = ${many.owner.org_id} returning id)
    insert into escalations (event_id, org_id, step, round, started_at, due_at)
    select c.id, x.org_id, x.step, x.round, x.started_at, x.due_at - interval '1 second'
    from copies c, escalations x where x.org_id = ${many.owner.org_id}`.execute(h.app.db);
  h.clock.advance(35);
  await escalateAlerts(h.app);
  await world.deliver();
  expect(kindsAt(one.paths[1] ?? "")).toEqual(["escalated"]);
});
