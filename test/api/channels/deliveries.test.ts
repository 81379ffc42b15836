import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { deleteOldData } from "../../../src/jobs/delete-old-data.ts";
import type { AlertEvent } from "../../../src/wire/alerts/alert-events.ts";
import type { ServiceStatus } from "../../../src/wire/analytics/service-status.ts";
import type { Delivery } from "../../../src/wire/channels/deliveries.ts";
import { fire, makeWorld, notify } from "../../delivery/world.ts";
import { addContract, addRule, addTarget, freshId, grant } from "../contracts/contract-steps.ts";
import { day, errorReply, join } from "../steps.ts";

const world = await makeWorld();
const { h, sink } = world;

async function homeWith(path: string) {
  const home = await world.household();
  const channel = await home.channel(path);
  await home.setChannels(home.rule, channel);
  return { home, channel };
}

test("deliveries are listed newest first, with their attempts", async () => {
  const { home, channel } = await homeWith("/listed");
  sink.on("/listed", (_, earlier) => (earlier === 0 ? { status: 500, body: "no luck" } : 200));
  const event = await fire(world, home);
  await world.deliverAll(10);
  h.clock.advance(1);
  const later = await fire(world, home);
  await world.deliverAll(10);
  expect(await home.deliveries()).toMatchObject([
    { event_ids: [later], status: "sent" },
    {
      event_ids: [event],
      channel_id: channel.id,
      channel_type: "webhook",
      channel_name: "/listed",
      kind: "fired",
      severity: "critical",
      status: "sent",
      next_attempt_at: null,
      sent_at: expect.any(String),
      attempts: [
        { attempt: 1, result: "retry", status_code: 500, excerpt: "no luck", latency_ms: expect.any(Number) },
        { attempt: 2, result: "sent", status_code: 200, error: null },
      ],
    },
  ]);
});

test("a delivery that is replayed again and again shows its newest 20 attempts", async () => {
  const { home } = await homeWith("/replayed");
  await fire(world, home);
  await world.deliver();
  await sql`
    insert into delivery_attempts (delivery_id, attempt, started_at, result)
    select delivery_id, attempt + n, started_at, 'sent' from delivery_attempts, generate_series(1, 29) n
    where delivery_id in (select id from deliveries where org_id = ${home.owner.org_id})`.execute(h.app.db);
  const [delivery] = await home.deliveries();
  expect(delivery?.attempts.map(({ attempt }) => attempt)).toEqual(
    Array.from({ length: 20 }, (_, n) => n + 11),
  );
});

test("an alert that went to very many channels shows 100 deliveries, those that failed among them", async () => {
  const { home, channel } = await homeWith("/crowd");
  const event = await fire(world, home);
  await world.deliver();
  await sql`
    with copied as (
      insert into deliveries (id, org_id, channel_id, channel_type, channel_name, kind, severity, follows, status, next_attempt_at, created_at, queued_at)
      select gen_random_uuid(), org_id, gen_random_uuid(), channel_type, channel_name, kind, severity, follows,
        case when n % 60 = 0 then 'failed' else 'sent' end, next_attempt_at, created_at, queued_at
      from deliveries, generate_series(1, 150) n where channel_id = ${channel.id}
      returning id, channel_id)
    insert into delivery_notices (delivery_id, channel_id, notice_id, event_id, contract_id)
    select copied.id, copied.channel_id, l.notice_id, l.event_id, l.contract_id
    from copied, delivery_notices l where l.channel_id = ${channel.id}`.execute(h.app.db);
  const shown = (await home.owner.client.get(`/alerts/events/${event}`)).body as AlertEvent;
  const [listed] = (await home.owner.client.get("/alerts/history")).body as AlertEvent[];
  expect(listed?.deliveries).toEqual(shown.deliveries);
  expect(shown.deliveries).toHaveLength(100);
  expect(shown.deliveries.filter(({ status }) => status === "failed")).toHaveLength(2);
});

test("deliveries can be filtered by status, channel, event and time, and paged", async () => {
  const { home, channel } = await homeWith("/chosen");
  const other = await home.channel("/chosen/other");
  await home.setChannels(home.rule, channel, other);
  sink.on("/chosen/other", () => 410);
  const events: string[] = [];
  for (let count = 0; count < 3; count++) {
    events.push(await fire(world, home));
    await world.deliver();
    h.clock.advance(10);
  }
  const all = await home.deliveries();
  expect(all).toHaveLength(6);
  expect((await home.deliveries({ status: "failed" })).map(({ channel_id }) => channel_id)).toEqual([
    other.id,
    other.id,
    other.id,
  ]);
  expect(await home.deliveries({ channel_id: channel.id })).toHaveLength(3);
  expect(await home.deliveries({ event_id: events[1] ?? "" })).toEqual(all.slice(2, 4));
  const times = { from: all[3]?.created_at ?? "", to: all[2]?.created_at ?? "" };
  expect(await home.deliveries(times)).toEqual(all.slice(2, 4));
  expect([...(await home.deliveries({ limit: "4" })), ...(await home.deliveries({ offset: "4" }))]).toEqual(
    all,
  );
  for (const query of [{ limit: "201" }, { offset: "10001" }, { status: "lost" }, { channel_id: "x" }])
    expect(
      (await home.owner.client.get("/deliveries", { query: query as Record<string, string> })).status,
    ).toBe(422);
});

test("an org sees its own deliveries, and a member none of a contract hidden from them", async () => {
  const { home, channel } = await homeWith("/hidden");
  const [member, stranger] = [await join(h, home.owner, "member"), await h.person()];
  await member.client.post(`/orgs/${home.owner.org_id}/switch`);
  const contract = await addContract(home.owner);
  const target = await addTarget(home.owner, contract.id);
  const rule = await addRule(home.owner, target.id, { channel_id: channel.id });
  const tx_hash = `0x${"ef".repeat(32)}`;
  const seen = await fire(world, home);
  await fire(world, { ...home, contract, target, rule });
  await fire(world, home, { tx_hash });
  await fire(world, { ...home, contract, target, rule }, { tx_hash });
  await grant(home.owner, contract.id, home.owner);
  await world.deliver();
  const hidden = (await home.deliveries()).filter(({ event_ids }) => !event_ids.includes(seen));
  expect(hidden.map(({ event_ids }) => event_ids.length).sort()).toEqual([1, 2]);
  expect((await member.client.get("/deliveries")).body).toMatchObject([{ event_ids: [seen] }]);
  expect((await stranger.client.get("/deliveries")).body).toEqual([]);
  for (const one of hidden) {
    for (const person of [member, stranger])
      expect(await person.client.post(`/deliveries/${one.id}/replay`)).toMatchObject(
        errorReply(404, "not_found"),
      );
  }
});

describe("replaying a delivery", () => {
  const replay = (
    home: { owner: { client: { post(path: string): Promise<{ status: number; body: unknown }> } } },
    id: string,
  ) => home.owner.client.post(`/deliveries/${id}/replay`);

  test("sends a finished message again under its id, with a new retry schedule", async () => {
    const { home } = await homeWith("/again");
    await fire(world, home);
    await world.deliver();
    const [sent] = (await home.deliveries()) as [Delivery];
    expect(await replay(home, sent.id)).toMatchObject({
      status: 200,
      body: { status: "queued", id: sent.id },
    });
    sink.on("/again", () => 500);
    await world.deliver();
    const [waiting] = (await home.deliveries()) as [Delivery];
    const wait = new Date(waiting.next_attempt_at ?? 0).getTime() - h.clock.now().getTime();
    expect(wait).toBeLessThan(10_000);
    sink.on("/again", () => 200);
    await world.deliverAll(10);
    expect(sink.at("/again").map(({ id }) => id)).toEqual([sent.id, sent.id, sent.id]);
    expect((await home.deliveries())[0]?.attempts.map(({ result }) => result)).toEqual([
      "sent",
      "retry",
      "sent",
    ]);
  });

  test("is rejected while the message is queued, and concurrent replays send it once", async () => {
    const { home } = await homeWith("/twice");
    await fire(world, home);
    await world.fanOutAll();
    const [queued] = (await home.deliveries()) as [Delivery];
    expect(await replay(home, queued.id)).toMatchObject(errorReply(409, "delivery_in_progress"));
    await world.deliver();
    const replies = await Promise.all([1, 2, 3, 4].map(() => replay(home, queued.id)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    await world.deliver();
    expect(sink.at("/twice")).toHaveLength(2);
  });

  test("sends a failed message once its channel is enabled again", async () => {
    const { home, channel } = await homeWith("/mended");
    sink.on("/mended", () => 410);
    await fire(world, home);
    await world.deliver();
    const [failed] = (await home.deliveries()) as [Delivery];
    expect(await replay(home, failed.id)).toMatchObject(errorReply(409, "conflict"));
    sink.on("/mended", () => 200);
    await home.owner.client.patch(`/channels/${channel.id}`, { is_enabled: true });
    h.clock.advance(5 * day);
    expect((await replay(home, failed.id)).status).toBe(200);
    await world.deliver();
    expect(await home.deliveries()).toMatchObject([{ id: failed.id, status: "sent" }]);
  });

  test("is rejected for an unknown delivery and for a disabled or deleted channel", async () => {
    const { home, channel } = await homeWith("/nowhere");
    await fire(world, home);
    await world.deliver();
    const [sent] = (await home.deliveries()) as [Delivery];
    expect(await replay(home, freshId())).toMatchObject(errorReply(404, "not_found"));
    await home.owner.client.patch(`/channels/${channel.id}`, { is_enabled: false });
    expect(await replay(home, sent.id)).toMatchObject(errorReply(409, "conflict"));
    await home.owner.client.delete(`/channels/${channel.id}`, { query: { force: "true" } });
    expect(await replay(home, sent.id)).toMatchObject(errorReply(409, "conflict"));
  });
});

describe("a queued delivery", () => {
  test("of a deleted channel is skipped, and so is one whose running attempt fails", async () => {
    const { home, channel } = await homeWith("/deleted");
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    sink.on("/deleted", async () => {
      arrived.resolve();
      await gone.promise;
      return 500;
    });
    for (let count = 0; count < 3; count++) await fire(world, home);
    const sending = world.deliver();
    await arrived.promise;
    await home.owner.client.delete(`/channels/${channel.id}`, { query: { force: "true" } });
    gone.resolve();
    await sending;
    const deliveries = await home.deliveries();
    expect(deliveries.map(({ status }) => status)).toEqual(["skipped", "skipped", "skipped"]);
    for (const { last_error } of deliveries) expect(last_error).toBe("The channel was deleted.");
    expect(sink.at("/deleted")).toHaveLength(1);
  });

  test("of a disabled channel is skipped", async () => {
    const { home, channel } = await homeWith("/off");
    await fire(world, home);
    await world.fanOutAll();
    await home.owner.client.patch(`/channels/${channel.id}`, { is_enabled: false });
    await world.deliver();
    expect(sink.at("/off")).toEqual([]);
    expect(await home.deliveries()).toMatchObject([{ status: "skipped" }]);
  });

  test("is sent to the current URL of its channel", async () => {
    const { home, channel } = await homeWith("/before");
    sink.on("/before", () => 500);
    await fire(world, home);
    await world.deliver();
    await home.owner.client.patch(`/channels/${channel.id}`, { config: { url: sink.url("/after") } });
    await world.deliverAll(10);
    expect([sink.at("/before").length, sink.at("/after").length]).toEqual([1, 1]);
  });
});

test("the service status reports pending deliveries and the delivery latency", async () => {
  const { home } = await homeWith("/status");
  const status = async () => (await h.anonymous().get("/status")).body as ServiceStatus;
  await world.deliverAll(60);
  expect((await status()).delivery.pending).toBe(0);
  const event = await fire(world, home);
  expect((await status()).delivery.pending).toBe(1);
  await world.fanOutAll();
  expect((await status()).delivery.pending).toBe(1);
  h.clock.advance(5);
  await world.deliver();
  await notify(world, home, event, "resolved");
  await world.deliver();
  expect((await status()).delivery).toMatchObject({ pending: 0, p95_ms: expect.any(Number) });
});

test("deliveries are deleted after the tier's retention, except queued ones", async () => {
  const { home } = await homeWith("/purged");
  await fire(world, home, { status: "resolved" });
  await world.deliver();
  sink.on("/purged", () => 500);
  await fire(world, home);
  await world.deliver();
  // Written directly, because a downgrade keeps the longer retention for existing data.
  await h.app.db.updateTable("orgs").set({ tier: "free" }).where("id", "=", home.owner.org_id).execute();
  h.clock.advance(8 * day);
  await deleteOldData.run(h.app);
  const kept = await h.app.db
    .selectFrom("deliveries")
    .leftJoin("delivery_attempts", "delivery_attempts.delivery_id", "deliveries.id")
    .select(["deliveries.status", "result"])
    .where("deliveries.org_id", "=", home.owner.org_id)
    .execute();
  expect(kept).toEqual([{ status: "queued", result: "retry" }]);
});
