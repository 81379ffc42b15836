import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { claimDeliveries, requeueLost, requeueUnattempted } from "../../src/store/delivery/delivery-queue.ts";
import { recordResults } from "../../src/store/delivery/delivery-results.ts";
import { freshId } from "../api/contracts/contract-steps.ts";
import { fire, type Household, makeWorld, notify } from "./world.ts";

const world = await makeWorld();
const { h, sink } = world;

async function homeWith(path: string, more: object = {}) {
  const home = await world.household();
  const channel = await home.channel(path, more);
  await home.setChannels(home.rule, channel);
  return { home, channel };
}

const waitOf = async (home: Household) => {
  const [delivery] = await home.deliveries();
  const next = new Date(delivery?.next_attempt_at ?? 0).getTime();
  return (next - h.clock.now().getTime()) / 1000;
};

describe("a message that cannot be sent", () => {
  test("is retried after 5 s, 30 s, 2 m, 10 m, 1 h, 6 h and 24 h, then given up", async () => {
    const { home, channel } = await homeWith("/schedule");
    sink.on("/schedule", () => 503);
    await fire(world, home);
    await world.deliver();
    for (const [index, wait] of [5, 30, 120, 600, 3600, 21_600, 86_400].entries()) {
      const due = await waitOf(home);
      expect([wait, due > wait * 0.8 - 2, due <= wait * 1.2]).toEqual([wait, true, true]);
      h.clock.advance(due - 1.5);
      await world.deliver();
      expect(sink.at("/schedule")).toHaveLength(index + 1);
      h.clock.advance(2);
      // The channel may pause for longer after several consecutive failures.
      await h.app.db
        .updateTable("channels")
        .set({ next_send_at: null })
        .where("id", "=", channel.id)
        .execute();
      await world.deliver();
      expect(sink.at("/schedule")).toHaveLength(index + 2);
    }
    const [delivery] = await home.deliveries();
    expect(delivery).toMatchObject({ status: "failed", next_attempt_at: null, sent_at: null });
    expect(
      delivery?.attempts.map(({ attempt, result, status_code }) => [attempt, result, status_code]),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => [attempt, "retry", 503]));
    expect(new Set(sink.at("/schedule").map(({ id }) => id))).toEqual(new Set([delivery?.id]));
    expect(await home.channels()).toMatchObject([
      { status: "failing", last_error: expect.stringContaining("503") },
    ]);
  });

  test("waits for the provider's Retry-After, together with its whole channel", async () => {
    const { home } = await homeWith("/patience");
    const other = await homeWith("/patience/other");
    sink.on("/patience", () => ({ status: 429, headers: { "retry-after": "90" } }));
    for (const one of [home, home, home, other.home]) await fire(world, one);
    await world.deliver();
    expect(sink.at("/patience")).toHaveLength(1);
    expect(sink.at("/patience/other")).toHaveLength(1);
    sink.on("/patience", () => 200);
    h.clock.advance(85);
    await world.deliver();
    expect(sink.at("/patience")).toHaveLength(1);
    h.clock.advance(10);
    await world.deliver();
    expect(sink.at("/patience")).toHaveLength(4);
    expect((await home.deliveries()).map(({ status }) => status)).toEqual(["sent", "sent", "sent"]);
  });

  test("pauses a channel after repeated failures, without an attempt per message", async () => {
    const { home } = await homeWith("/down");
    sink.on("/down", () => 500);
    for (let count = 0; count < 40; count++) await fire(world, home);
    await world.deliver();
    expect(sink.at("/down")).toHaveLength(3);
    sink.on("/down", () => 200);
    await world.deliverAll(10);
    expect((await home.deliveries()).every(({ status }) => status === "sent")).toBe(true);
    expect(new Set(sink.at("/down").map(({ id }) => id)).size).toBe(40);
  });

  test("fails after three days in the queue", async () => {
    const { home } = await homeWith("/old");
    await fire(world, home);
    await world.fanOutAll();
    h.clock.advance(4 * 86_400);
    await world.deliver();
    expect(sink.at("/old")).toEqual([]);
    expect(await home.deliveries()).toMatchObject([{ status: "failed" }]);
  });
});

describe("a channel that no longer exists", () => {
  test("is disabled at once, and its queued deliveries fail with the reason", async () => {
    const { home } = await homeWith("/gone");
    sink.on("/gone", () => 410);
    for (let count = 0; count < 5; count++) await fire(world, home);
    await world.deliver();
    expect(sink.at("/gone")).toHaveLength(1);
    expect(await home.channels()).toMatchObject([{ status: "disabled", is_enabled: true }]);
    await fire(world, home);
    await world.deliver();
    expect(sink.at("/gone")).toHaveLength(1);
    const deliveries = await home.deliveries();
    expect(deliveries).toHaveLength(6);
    for (const { status, last_error } of deliveries) {
      expect([status, last_error?.includes("410")]).toEqual(["failed", true]);
    }
  });

  test("is reported once to the other channels and to the admins by mail, until it is fixed", async () => {
    const { home, channel } = await homeWith("/broken");
    await home.channel("/broken/other");
    sink.on("/broken", () => 410);
    await fire(world, home);
    await world.deliver();
    for (let round = 0; round < 3; round++) {
      await h.runJobs();
      await world.deliver();
    }
    expect(sink.at("/broken/other")).toMatchObject([
      {
        kind: "fired",
        body: { data: { alerts: [{ title: `Notifications do not reach the channel ${channel.name}` }] } },
      },
    ]);
    const mails = h.mails.filter(({ to }) => to === home.owner.user.email);
    expect(mails.filter(({ subject }) => subject.includes(channel.name))).toHaveLength(1);
    sink.on("/broken", () => 200);
    await home.owner.client.patch(`/channels/${channel.id}`, { config: { url: sink.url("/broken/mended") } });
    expect((await home.channels())[0]).toMatchObject({ status: "ok", last_error: null });
    await h.runJobs();
    await world.deliver();
    expect(sink.at("/broken/other").map(({ kind }) => kind)).toEqual(["fired", "resolved"]);
    expect(sink.at("/broken/mended")).toEqual([]);
  });
});

test("a channel that fails for minutes has the status failing until a success", async () => {
  const { home, channel } = await homeWith("/minutes");
  sink.on("/minutes", () => 500);
  await fire(world, home);
  await world.deliver();
  expect(await home.channels()).toMatchObject([{ status: "ok" }]);
  for (let minute = 0; minute < 20; minute++) {
    h.clock.advance(60);
    await world.deliver();
    if (minute === 12) await fire(world, home);
  }
  expect(await home.channels()).toMatchObject([{ status: "failing", last_success_at: null }]);
  sink.on("/minutes", () => 200);
  // Messages of other tests may wait for a day.
  await world.deliverAll(3_600);
  expect(await home.channels()).toMatchObject([
    { id: channel.id, status: "ok", last_error: null, last_success_at: expect.any(String) },
  ]);
});

test("failures from before a channel was changed do not count afterwards", async () => {
  const { home, channel } = await homeWith("/changed");
  const [arrived, mended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  sink.on("/changed", async () => {
    arrived.resolve();
    await mended.promise;
    return 410;
  });
  await fire(world, home);
  const sending = world.deliver();
  await arrived.promise;
  await home.owner.client.patch(`/channels/${channel.id}`, { config: { url: sink.url("/changed/to") } });
  mended.resolve();
  await sending;
  expect(await home.channels()).toMatchObject([{ status: "ok" }]);
});

describe("the order of messages", () => {
  test("about one event is kept despite failures", async () => {
    const { home } = await homeWith("/order");
    const event = await fire(world, home);
    await notify(world, home, event, "renotified", 1);
    h.clock.advance(1);
    await notify(world, home, event, "resolved");
    let failures = 0;
    sink.on("/order", () => (failures++ % 2 === 0 ? 500 : 200));
    await world.deliverAll(5);
    const arrived = sink.at("/order").map(({ kind }) => kind);
    expect(arrived).toEqual(["fired", "fired", "renotified", "renotified", "resolved", "resolved"]);
  });

  test("skips a resolution whose fired message failed", async () => {
    const { home, channel } = await homeWith("/given-up");
    const event = await fire(world, home);
    await notify(world, home, event, "resolved");
    await world.fanOutAll();
    await h.app.db
      .updateTable("deliveries")
      .set({ status: "failed" })
      .where("channel_id", "=", channel.id)
      .where("kind", "=", "fired")
      .execute();
    await world.deliver();
    expect(sink.at("/given-up")).toEqual([]);
    expect(await home.deliveries({ status: "skipped" })).toMatchObject([{ kind: "resolved" }]);
  });

  test("to one channel is sequential, with any number of processes", async () => {
    const { home } = await homeWith("/serial");
    let [open, most] = [0, 0];
    sink.on("/serial", async () => {
      most = Math.max(most, ++open);
      await new Promise((done) => setImmediate(done));
      open -= 1;
      return 200;
    });
    for (let count = 0; count < 60; count++) await fire(world, home);
    await world.fanOutAll();
    await Promise.all([1, 2, 3, 4].map(() => world.sendDue()));
    await world.sendDue();
    expect(most).toBe(1);
    expect(sink.at("/serial")).toHaveLength(60);
    expect(new Set(sink.at("/serial").map(({ id }) => id)).size).toBe(60);
  });
});

describe("a worker", () => {
  /** Claims the queued deliveries of a home, as a worker that then does nothing more. */
  const claimAs = async (worker_id: string, channel_id: string) => {
    await sql`insert into delivery_workers values (${worker_id}, clock_timestamp() + interval '1 minute')`.execute(
      h.app.db,
    );
    return claimDeliveries(h.app.db, worker_id, [{ channel_id, limit: 10 }], h.clock.now());
  };
  const expire = (worker_id: string) =>
    sql`update delivery_workers set lease_until = '-infinity' where id = ${worker_id}`.execute(h.app.db);
  const resultOf = ({ id, attempts, fence }: { id: string; attempts: number; fence: number }) => ({
    id,
    attempt: attempts,
    fence,
    status: "sent" as const,
    next_attempt_at: null,
    started_at: h.clock.now(),
    ended_at: h.clock.now(),
    latency_ms: 1,
    result: "sent" as const,
    status_code: 200,
    error: null,
    excerpt: null,
  });

  test("keeps its claims while it renews its lease, and loses them when the lease expires", async () => {
    const { home, channel } = await homeWith("/lease");
    await fire(world, home);
    await world.fanOutAll();
    const worker = freshId();
    expect(await claimAs(worker, channel.id)).toHaveLength(1);
    await world.deliver();
    expect(sink.at("/lease")).toEqual([]);
    await expire(worker);
    await world.deliver();
    expect(sink.at("/lease")).toHaveLength(1);
    expect((await home.deliveries())[0]?.attempts.map(({ result }) => result)).toEqual(["lost", "sent"]);
  });

  test("with an expired claim cannot record results", async () => {
    const { home, channel } = await homeWith("/fence");
    await fire(world, home);
    await world.fanOutAll();
    const [slow, quick] = [freshId(), freshId()];
    const [before] = await claimAs(slow, channel.id);
    await expire(slow);
    await requeueLost(h.app.db, 8, h.clock.now());
    if (!before) throw new Error("nothing was claimed");
    // Requeued and not claimed again; then claimed by another worker.
    expect(await recordResults(h.app.db, slow, [resultOf(before)])).toEqual(new Set());
    const [after] = await claimAs(quick, channel.id);
    expect(await recordResults(h.app.db, slow, [resultOf(before)])).toEqual(new Set());
    await requeueUnattempted(h.app.db, slow, [before]);
    expect(await home.deliveries()).toMatchObject([{ status: "sending", attempts: [{ result: "lost" }] }]);
    if (!after) throw new Error("nothing was claimed again");
    expect(await recordResults(h.app.db, quick, [resultOf(after)])).toEqual(new Set([after.id]));
    expect(await recordResults(h.app.db, quick, [resultOf(after)])).toEqual(new Set());
    expect(await home.deliveries()).toMatchObject([{ status: "sent", attempts: [{}, { result: "sent" }] }]);
  });

  test("that crashes repeatedly on one message does not get it for ever", async () => {
    const { home, channel } = await homeWith("/poison");
    await fire(world, home);
    await world.fanOutAll();
    for (let attempt = 1; attempt <= 8; attempt++) {
      const worker = freshId();
      expect(await claimAs(worker, channel.id)).toMatchObject([{ attempts: attempt }]);
      await expire(worker);
      await requeueLost(h.app.db, 8, h.clock.now());
    }
    expect(await home.deliveries()).toMatchObject([{ status: "failed" }]);
  });

  test("that loses the reply to its claim returns the message to the queue", async () => {
    const { home } = await homeWith("/unheard");
    await fire(world, home);
    await world.fanOutAll();
    const { faults } = h.app;
    h.app.faults = {
      hit(point) {
        if (point !== "delivery.after_claim") return;
        h.app.faults = faults;
        throw new Error("The connection broke after the claim was made.");
      },
    };
    const worker = world.dispatcher();
    await worker.renew();
    expect(await worker.begin(await worker.pick())).toBe(0);
    expect(await home.deliveries()).toMatchObject([{ status: "queued", attempts: [] }]);
    expect(await world.sendDue(worker)).toBe(1);
    expect(await home.deliveries()).toMatchObject([{ status: "sent", attempts: [{ attempt: 1 }] }]);
  });

  test("that stops finishes the message in progress and returns the others to the queue", async () => {
    const { home } = await homeWith("/stop");
    const [arrived, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    sink.on("/stop", async () => {
      arrived.resolve();
      await answered.promise;
      return 200;
    });
    for (let count = 0; count < 3; count++) await fire(world, home);
    await world.fanOutAll();
    const worker = world.dispatcher();
    await worker.renew();
    await worker.begin(await worker.pick());
    await arrived.promise;
    const stopped = worker.stop(10_000);
    answered.resolve();
    await stopped;
    expect((await home.deliveries()).map(({ status }) => status).sort()).toEqual([
      "queued",
      "queued",
      "sent",
    ]);
    expect((await home.deliveries({ status: "queued" })).every(({ attempts }) => attempts.length === 0)).toBe(
      true,
    );
    await world.sendDue();
    expect(
      (await home.deliveries()).every(({ status, attempts }) => status === "sent" && attempts.length === 1),
    ).toBe(true);
  });
});

test("a webhook message is signed and contains the alert", async () => {
  const home = await world.household();
  const channel = await home.channel("/signed", {
    config: { url: sink.url("/signed"), headers: { "x-team": "ops" } },
  });
  await home.setChannels(home.rule, channel);
  await fire(world, home);
  await world.deliver();
  const [message] = sink.at("/signed");
  const secret = (channel.config as { secret: string }).secret;
  expect(message?.headers["x-team"]).toBe("ops");
  const [first] = await home.deliveries();
  expect(message?.id).toBe(first?.id);
  expect(secret).toMatch(/^whsec_/);
  expect(message?.headers["webhook-signature"]).toMatch(/^v1,/);
  expect(message?.body.data.alerts).toMatchObject([
    { rule: { id: home.rule.id }, contract: { id: home.contract.id }, chain: { chain: "local" } },
  ]);
});
