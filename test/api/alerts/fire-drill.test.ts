import { expect, test } from "vitest";
import { escalateAlerts } from "../../../src/domain/alerts/escalate.ts";
import { sequenceStream } from "../../../src/jobs/sequence-stream.ts";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import type { FireDrill } from "../../../src/wire/alerts/fire-drill.ts";
import type { Channel } from "../../../src/wire/channels/channels.ts";
import { fire, type Household, makeWorld } from "../../delivery/world.ts";
import { StreamClient } from "../../http/stream/listen.ts";
import { grant } from "../contracts/contract-steps.ts";
import { errorReply, hour, join } from "../steps.ts";

const world = await makeWorld();
const { h, sink } = world;

/** An org with a rule that notifies a channel, and after 30 seconds another. */
async function homeWith(path: string, more: object = {}) {
  const home = await world.household();
  const channels = [await home.channel(path), await home.channel(`${path}/later`)] as [Channel, Channel];
  const reply = await home.owner.client.patch(`/alerts/${home.rule.id}`, {
    channel_id: channels[0].id,
    escalation: [{ after_seconds: 30, channel_ids: [channels[1].id] }],
    ...more,
  });
  expect(reply.status).toBe(200);
  return { ...home, channels };
}

async function drill({ owner, rule }: Pick<Household, "owner" | "rule">): Promise<FireDrill> {
  const reply = await owner.client.post(`/alerts/${rule.id}/test`);
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body as FireDrill;
}

const outcomesOf = ({ steps }: FireDrill) =>
  steps.map(({ after_seconds, recipients }) => [after_seconds, ...recipients.map(({ outcome }) => outcome)]);

test("a fire drill sends a message marked as a test on the way of an alert, and says who an alert would notify and when", async () => {
  const home = await homeWith("/drill");
  const found = await drill(home);
  expect(found.event).toMatchObject({
    kind: "test",
    status: "resolved",
    rule_id: home.rule.id,
    contract_id: home.contract.id,
    severity: "critical",
    title: expect.stringMatching(/^Fire drill: /),
    explanation: { reason: "test", started_by: home.owner.user.name },
  });
  expect(found.steps).toEqual([
    {
      after_seconds: 0,
      recipients: [expect.objectContaining({ channel_id: home.channels[0].id, outcome: "notified" })],
    },
    {
      after_seconds: 30,
      recipients: [expect.objectContaining({ channel_id: home.channels[1].id, outcome: "notified" })],
    },
  ]);
  await world.deliverAll();
  expect(sink.at("/drill")).toMatchObject([
    { body: { type: "alert.test", data: { alerts: [{ event_id: found.event.id }] } } },
  ]);
  // No step of the escalation follows.
  h.clock.advance(60);
  await escalateAlerts(h.app);
  await world.deliverAll();
  expect(sink.at("/drill/later")).toEqual([]);
  expect(await home.deliveries()).toMatchObject([
    { kind: "test", status: "sent", event_ids: [found.event.id] },
  ]);
});

test("a fire drill is in the history as a test, and changes no state, statistic or activity", async () => {
  const home = await homeWith("/uncounted");
  const { client } = home.owner;
  const views = ["/dashboard/stats", "/analytics/activity?bucket=day", `/alerts/${home.rule.id}`];
  const read = async () => Promise.all(views.map(async (path) => (await client.get(path)).body));
  const before = await read();
  const { event } = await drill(home);
  await world.deliverAll();
  expect(await read()).toEqual(before);
  // The hourly counts leave it out too.
  await h.runJobs();
  expect(await read()).toEqual(before);
  const history = (await client.get("/alerts/history")).body as AlertEvent[];
  expect(history.map(({ id, kind }) => [id, kind])).toEqual([[event.id, "test"]]);
  await fire(world, home);
  expect(await read()).not.toEqual(before);
  const audit = await client.get("/audit-log");
  expect(audit.body).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: "rule.tested", details: { event_id: event.id } }),
    ]),
  );
});

test("a fire drill is announced on the stream with its kind", async () => {
  const home = await homeWith("/announced");
  const url = await h.server.listen({ port: 0, host: "127.0.0.1" });
  const cookie = [...home.owner.client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const stream = new StreamClient(url, { cookie });
  await stream.next("hello");
  const { event } = await drill(home);
  while ((await sequenceStream.run(h.app)).hasMore);
  const frame = await stream.next("alert.fired");
  stream.close();
  expect(frame.data).toMatchObject({ id: event.id, kind: "test" });
});

test("a fire drill follows silences, severities and disabled channels, as an alert would", async () => {
  const home = await homeWith("/followed", { severity: "warning" });
  const { client } = home.owner;
  const [first, second] = home.channels;
  await client.patch(`/channels/${second.id}`, { min_severity: "critical" });
  expect(outcomesOf(await drill(home))).toEqual([
    [0, "notified"],
    [30, "below_min_severity"],
  ]);
  await world.deliverAll();
  const ends_at = new Date(h.clock.now().getTime() + hour * 1000).toISOString();
  await client.post("/silences", { contract_id: home.contract.id, reason: "Planned work", ends_at });
  expect(outcomesOf(await drill(home))[0]).toEqual([0, "silenced"]);
  await client.patch(`/channels/${first.id}`, { is_enabled: false });
  expect(outcomesOf(await drill(home))[0]).toEqual([0, "channel_disabled"]);
  await world.deliverAll();
  expect(sink.at("/followed").map(({ kind }) => kind)).toEqual(["test"]);
  h.clock.advance(2 * hour);
  await world.deliverAll();
  // A silenced drill is not sent when the silence ends.
  expect(sink.at("/followed")).toHaveLength(1);
});

test("a fire drill of a rule in shadow mode notifies nobody", async () => {
  const home = await homeWith("/shadow", { mode: "shadow" });
  expect(outcomesOf(await drill(home))).toEqual([
    [0, "shadow_mode"],
    [30, "shadow_mode"],
  ]);
  await world.deliverAll();
  expect(sink.at("/shadow")).toEqual([]);
  expect(await home.deliveries()).toEqual([]);
});

test("a fire drill on a restricted contract is withheld from channels of people without access", async () => {
  const home = await world.household();
  const member = await join(h, home.owner, "member");
  await member.client.post(`/orgs/${home.owner.org_id}/switch`);
  const config = { url: sink.url("/theirs") };
  const theirs = await member.client.post("/channels", { type: "webhook", name: "Theirs", config });
  await home.setChannels(home.rule, theirs.body as Channel);
  await grant(home.owner, home.contract.id, home.owner, "editor");
  expect(outcomesOf(await drill(home))).toEqual([[0, "withheld"]]);
  await world.deliverAll();
  expect(sink.at("/theirs")).toEqual([]);
});

test("fire drills are limited per org", async () => {
  const home = await world.household();
  for (let n = 0; n < 60; n++) await drill(home);
  expect(await home.owner.client.post(`/alerts/${home.rule.id}/test`)).toMatchObject(
    errorReply(429, "rate_limited"),
  );
});
