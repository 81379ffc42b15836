import { expect, test } from "vitest";
import { escalateAlerts } from "../../src/domain/alerts/escalate.ts";
import type { Channel } from "../../src/wire/channels/channels.ts";
import { makeDice } from "../pipeline/dice.ts";
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

const received = (paths: string[]) => paths.map(kindsAt);

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

const seeds = runSize("ESCALATION_SEEDS", { short: 2, long: 300 });

test(`random alerts escalate as a naive model says (${seeds} seeds)`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const dice = makeDice(seed);
    const home = await escalating(`random-${seed}`);
    const expected = [0, 0, 0];
    type Open = { id: string; firedAt: number; sent: number; isOpen: boolean };
    const alerts: Open[] = [];
    for (let now = 0; now < 300; now += 5) {
      if (dice.chance(0.1)) {
        alerts.push({ id: await fire(world, home), firedAt: now, sent: 0, isOpen: true });
        expected[0] = (expected[0] ?? 0) + 1;
        await world.deliver();
      }
      const one = alerts.length > 0 && dice.chance(0.15) ? dice.pick(alerts) : undefined;
      if (one?.isOpen) {
        one.isOpen = false;
        if (dice.chance(0.5)) await acknowledge(home, one.id);
        else await settleEvent(world, one.id, "resolved");
      }
      await pass(5);
      for (const alert of alerts.filter(({ isOpen }) => isOpen)) {
        const age = now + 5 - alert.firedAt;
        if (age >= 30 && alert.sent === 0) [expected[1], alert.sent] = [(expected[1] ?? 0) + 1, 1];
        if (age >= 60 && alert.sent === 1) {
          [expected[1], expected[2], alert.sent] = [(expected[1] ?? 0) + 1, (expected[2] ?? 0) + 1, 2];
        }
      }
    }
    const found = home.paths.map(
      (path) => kindsAt(path).filter((kind) => /fired|escalated/.test(kind)).length,
    );
    expect({ seed, found }).toEqual({ seed, found: expected });
  }
});
