import { Dispatcher } from "../../src/delivery/dispatcher.ts";
import { fanOutFew, fanOutMany, fanOutUnmuted } from "../../src/delivery/fan-out.ts";
import { type LaneLimits, RoundRobin } from "../../src/delivery/pick-lanes.ts";
import type { Faults } from "../../src/faults.ts";
import { insertNotices, type NewEvent, type NoticeKind } from "../../src/store/engine/alert-events.ts";
import type { Address } from "../../src/store/open-store.ts";
import type { Rule } from "../../src/wire/alerts/rules.ts";
import type { Channel } from "../../src/wire/channels/channels.ts";
import type { Delivery } from "../../src/wire/channels/deliveries.ts";
import { addContractWithRule, freshId, recordEvent } from "../api/contracts/contract-steps.ts";
import { type Harness, harness, type Person } from "../support/harness.ts";
import { Sink } from "./sink.ts";

/** Allows channels on loopback. */
export const reachable = { OUTBOUND_ALLOW: "127.0.0.0/8" };

export type World = Awaited<ReturnType<typeof makeWorld>>;

/** The service with a webhook receiver, and functions that run delivery step by step. */
export async function makeWorld(options: { faults?: Faults; address?: Address } = {}) {
  const h = await harness({ env: reachable, ...options });
  const sink = await Sink.start();
  return { h, sink, ...stepsOf(h, sink) };
}

/** A separate org with a contract, a rule and the data that it needs to fire. */
export type Household = Awaited<ReturnType<World["household"]>>;

function stepsOf(h: Harness, sink: Sink) {
  const dispatcher = (limits?: LaneLimits) => new Dispatcher(h.app, limits);

  const [turns, turnsUnmuted] = [new RoundRobin(), new RoundRobin()];
  const fanOutAll = async () => {
    for (;;) {
      const few = await fanOutFew(h.app);
      const many = await fanOutMany(h.app, turns);
      const unmuted = await fanOutUnmuted(h.app, turnsUnmuted);
      if (!few.hasMore && !many.hasMore && !unmuted.hasMore) return;
    }
  };

  /** Sends all messages that are due. The clock stands still meanwhile, so that a slow machine sends no retry. */
  const sendDue = async (by: Dispatcher = dispatcher()) => {
    const frozen = h.clock.freeze();
    await by.renew();
    let sent = 0;
    for (;;) {
      const claimed = await by.begin(await by.pick());
      await by.idle();
      if (claimed === 0) break;
      sent += claimed;
    }
    await by.stop(5_000);
    frozen.release();
    return sent;
  };

  return {
    dispatcher,
    fanOutAll,
    sendDue,
    /** Fans out notices and sends all due messages. */
    async deliver() {
      await fanOutAll();
      return sendDue();
    },
    /** Advances the clock and delivers until the queue is empty. */
    async deliverAll(stepSeconds = 60, atMost = 5_000) {
      await fanOutAll();
      for (let step = 0; step < atMost; step++) {
        await sendDue();
        const waiting = await h.app.db
          .selectFrom("deliveries")
          .select("id")
          .where("status", "in", ["queued", "sending"])
          .limit(1)
          .execute();
        if (waiting.length === 0) return;
        h.clock.advance(stepSeconds);
      }
      throw new Error("the delivery queue never becomes empty");
    },
    async household(tier: "team" | "enterprise" = "enterprise") {
      const owner = await h.personOn(tier);
      return { owner, ...(await addContractWithRule(owner)), ...householdSteps(sink, owner) };
    },
  };
}

function householdSteps(sink: Sink, owner: Person) {
  return {
    /** Creates a webhook channel that posts to the sink at a path. */
    async channel(path: string, more: object = {}): Promise<Channel> {
      const body = { type: "webhook", name: path, config: { url: sink.url(path) }, ...more };
      const reply = await owner.client.post("/channels", body);
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body as Channel;
    },
    /** Creates a rule with these channels. */
    async setChannels(rule: Rule, ...channels: Channel[]): Promise<void> {
      const body = { channel_id: null, channel_ids: channels.map(({ id }) => id) };
      const reply = await owner.client.patch(`/alerts/${rule.id}`, body);
      if (reply.status !== 200) throw new Error(reply.text);
    },
    async deliveries(query: Record<string, string> = {}): Promise<Delivery[]> {
      return (await owner.client.get("/deliveries", { query })).body as Delivery[];
    },
    async channels(): Promise<Channel[]> {
      return (await owner.client.get("/channels")).body as Channel[];
    },
  };
}

/** Inserts an event and its notice, as the engine does. */
export async function fire(
  { h }: Pick<World, "h">,
  at: Pick<Household, "owner" | "contract" | "target" | "rule">,
  more: Partial<NewEvent> = {},
): Promise<string> {
  const id = await recordEvent(h, at.owner.org_id, at, more);
  await notify({ h }, at, id, "fired");
  return id;
}

export async function notify(
  { h }: Pick<World, "h">,
  { owner }: Pick<Household, "owner">,
  event_id: string,
  kind: NoticeKind,
  occurrence = 0,
): Promise<void> {
  const created_at = h.clock.now();
  await insertNotices(h.app.db, [
    { id: freshId(), org_id: owner.org_id, event_id, kind, occurrence, created_at },
  ]);
}

/** Updates an event. */
export async function settleEvent(
  { h }: Pick<World, "h">,
  id: string,
  status: "firing" | "resolved" | "retracted",
): Promise<void> {
  await h.app.db.updateTable("alert_events").set({ status }).where("id", "=", id).execute();
}
