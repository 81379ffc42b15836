import { afterAll } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import { makeSolanaReader, type SolanaReaderOptions } from "../../src/chains/solana/reader.ts";
import type { Faults } from "../../src/faults.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import { harness } from "../support/harness.ts";
import { Cluster } from "./cluster/cluster.ts";
import { startNode } from "./cluster/node.ts";

const pageSize = 200;

/** The service with one user, a cluster with nodes that can fail, and an engine that a test steps. */
export type SolanaWorld = Awaited<ReturnType<typeof makeSolanaWorld>>;

export async function makeSolanaWorld({
  nodes = 1,
  faults,
  chance,
  listing,
  lag,
  timeoutMs,
  clock = systemClock,
}: {
  clock?: Clock;
  listing?: SolanaReaderOptions["listing"];
  lag?: SolanaReaderOptions["lag"];
  timeoutMs?: number;
  nodes?: number;
  faults?: Faults;
  chance?: () => number;
} = {}) {
  const cluster = await Cluster.start();
  const nowMs = () => clock.now().getTime();
  const started = await Promise.all(Array.from({ length: nodes }, () => startNode(cluster, chance, nowMs)));
  const urls = started.map(({ url }) => url);
  const h = await harness({
    env: { RPC_LOCAL: "http://127.0.0.1:1", RPC_SOLANA: urls.join(",") },
    ...(faults && { faults }),
  });
  const owner = await h.personOn("enterprise");
  const solana = chainOf("solana") as Chain;
  const openReader = ({ sockets = false, stream }: Announcements = {}) => {
    const socketUrls = sockets ? started.map(({ socketUrl }) => socketUrl) : [];
    return makeSolanaReader({ urls: [...urls, ...socketUrls], stream, clock, listing, lag, timeoutMs });
  };
  let reader = openReader();
  let follower = new Follower(h.app, solana, reader);
  afterAll(async () => {
    await reader.close();
    await Promise.all(started.map((node) => node.close()));
  });

  return {
    h,
    owner,
    cluster,
    nodes: started,
    step: () => follower.step(),
    warning: () => reader.warning?.(),
    pace: () => reader.pace?.(),
    /** Waits until the next poll: when a transaction was announced, or after an interval. */
    waitForHead: async () => reader.waitForHead(await reader.head(), new AbortController().signal),
    /** Steps until the engine has nothing more to do. */
    async runUntilIdle(): Promise<string[]> {
      const done: string[] = [];
      for (let progress = await follower.step(); progress !== "idle"; progress = await follower.step()) {
        done.push(progress);
        if (done.length > 200 || progress === "standby")
          throw new Error(`does not come to rest: ${progress}`);
      }
      return done;
    },
    /** Steps until the engine reaches the head. With small listings a step may not reach a block. */
    async catchUp(): Promise<void> {
      for (let steps = 0; (follower.cursor?.height ?? 0) < cluster.head; steps++) {
        await follower.step();
        if (steps > 500) throw new Error("does not come to the head");
      }
    },
    /** Replaces the engine and the reader, as after a crash. The new reader may subscribe to announcements. */
    async restart(announcements?: Announcements): Promise<void> {
      await follower.stop();
      await reader.close();
      reader = openReader(announcements);
      follower = new Follower(h.app, solana, reader);
    },
    async watch(address: string, target: { target_type: string; config?: object }, abi?: unknown) {
      const body = { chain: "solana", address, label: "Watched", selected_targets: [target], abi };
      const reply = await owner.client.post("/contracts", body);
      if (reply.status !== 200) throw new Error(reply.text);
      const { id } = reply.body as { id: string };
      const targets = (await owner.client.get(`/contracts/${id}/targets`)).body as Target[];
      return { contract_id: id, ...(targets[0] as Target) };
    },
    async targets(contract_id: string): Promise<Target[]> {
      return (await owner.client.get(`/contracts/${contract_id}/targets`)).body as Target[];
    },
    async rule(target_id: string, condition: object = {}, more: object = {}): Promise<string> {
      const usual = { operator: "gte", threshold: 1, window_seconds: 60 };
      const body = {
        target_id,
        severity: "critical",
        condition: { ...usual, ...condition },
        cooldown_seconds: 0,
        record_only: !("channel_id" in more || "channel_ids" in more),
        ...more,
      };
      const reply = await owner.client.post("/alerts", body);
      if (reply.status !== 200) throw new Error(reply.text);
      return (reply.body as { id: string }).id;
    },
    async events(): Promise<AlertEvent[]> {
      const all: AlertEvent[] = [];
      for (;;) {
        const page = await owner.client.get(`/alerts/history?limit=${pageSize}&offset=${all.length}`);
        if (page.status !== 200) throw new Error(page.text);
        all.push(...(page.body as AlertEvent[]));
        if (all.length % pageSize !== 0 || (page.body as AlertEvent[]).length === 0) return all;
      }
    },
    async notices(): Promise<string[]> {
      const rows = await h.app.db.selectFrom("alert_notices").select("kind").orderBy("id").execute();
      return rows.map(({ kind }) => kind);
    },
  };
}

/** What announces transactions to the reader. */
type Announcements = { sockets?: boolean; stream?: SolanaReaderOptions["stream"] };

type Target = {
  id: string;
  target_type: string;
  status: string;
  status_reason: string | null;
  last_value: number | null;
};
