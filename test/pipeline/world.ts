import type { Chain } from "../../src/chains/chain.ts";
import { chainOf } from "../../src/chains/index.ts";
import type { Faults } from "../../src/faults.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import { type Harness, harness, type Person } from "../support/harness.ts";
import { type Scripted, ScriptedChain } from "./scripted-chain.ts";

export const tokenAddress = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const transferSignature = "Transfer(address indexed from, address indexed to, uint256 value)";
/** The target that counts the transfers of a contract. */
export const transfers = { target_type: "event_frequency", config: { event_signature: transferSignature } };
/** The condition of at least so many readings, or so high a value, in a window. */
export const atLeast = (threshold: number, window_seconds = 60) => ({
  operator: "gte",
  threshold,
  window_seconds,
});

/** The service with one user, a scripted chain, and an engine that a test advances step by step. */
export type World = Awaited<ReturnType<typeof makeWorld>>;

/** Creates another world on the same database: clears the chain and pauses the contracts of earlier worlds. */
export async function freshWorld(h: Harness, startedAt?: number, groupsInMemory?: number): Promise<World> {
  for (const table of ["chain_cursors", "chain_blocks", "chain_leases"] as const) {
    await h.app.db.deleteFrom(table).execute();
  }
  await h.app.db.updateTable("contracts").set({ status: "PAUSED" }).execute();
  if (groupsInMemory === undefined) return makeWorld({ harness: h, startedAt });
  const config = { ...h.app.config, groupsInMemory };
  return makeWorld({ harness: { ...h, app: { ...h.app, config } }, startedAt });
}

let nextTx = 1;

/** Returns a new transaction with transfers of these amounts. */
export function emits(...amounts: number[]): Scripted {
  return { id: nextTx++, to: tokenAddress, amounts };
}

/** `startedAt` is the time of the first block. */
export async function makeWorld(
  options: { faults?: Faults; harness?: Harness; startedAt?: number | undefined } = {},
) {
  const { faults } = options;
  const env = { RPC_LOCAL: "http://127.0.0.1:1" };
  const h = options.harness ?? (await harness({ env, ...(faults && { faults }) }));
  const owner: Person = await h.personOn("enterprise");
  const chain = new ScriptedChain(options.startedAt);
  const local = chainOf("local") as Chain;
  let follower = new Follower(h.app, local, chain);

  /** Steps until the engine is idle. */
  const catchUp = async () => {
    const done: string[] = [];
    for (let progress = await follower.step(); progress !== "idle"; progress = await follower.step()) {
      done.push(progress);
      if (progress === "standby") throw new Error("another engine holds the chain");
      if (done.length > 1000) throw new Error("the engine never becomes idle");
    }
    return done;
  };

  return {
    h,
    owner,
    chain,
    catchUp,
    /** Returns another engine on the same chain and database, like another process. */
    another: () => new Follower(h.app, local, chain),
    step: () => follower.step(),
    /** The largest number of quiet groups that a rule has in memory. */
    quietGroups(): number {
      const { watchList, states } = follower.state?.engine ?? {};
      const ids = Array.from(watchList?.allRules() ?? [], ({ id }) => id);
      const counts = ids.map(
        (id) => [...(states?.groups.of(id) ?? [])].length - (states?.groups.activeCount(id) ?? 0),
      );
      return Math.max(0, ...counts);
    },
    /** Replaces the engine by a new one that has only the stored state. */
    async restart() {
      await follower.stop();
      follower = new Follower(h.app, local, chain);
    },
    async watch(target: { target_type: string; config?: object }, address = tokenAddress): Promise<string> {
      const body = { chain: "local", address, label: "Token", selected_targets: [target] };
      const reply = await owner.client.post("/contracts", body);
      if (reply.status !== 200) throw new Error(reply.text);
      const { id } = reply.body as { id: string };
      const targets = (await owner.client.get(`/contracts/${id}/targets`)).body as { id: string }[];
      return (targets[0] as { id: string }).id;
    },
    async rule(target_id: string, condition: object, more: object = {}): Promise<string> {
      const record_only = !("channel_id" in more || "channel_ids" in more);
      const body = { target_id, severity: "critical", record_only, condition, cooldown_seconds: 0, ...more };
      const reply = await owner.client.post("/alerts", body);
      if (reply.status !== 200) throw new Error(reply.text);
      return (reply.body as { id: string }).id;
    },
    async events(): Promise<AlertEvent[]> {
      return (await owner.client.get("/alerts/history")).body as AlertEvent[];
    },
    /** Returns the notices of the org, oldest first. */
    async notices(): Promise<{ kind: string; event_id: string; occurrence: number }[]> {
      return h.app.db
        .selectFrom("alert_notices")
        .select(["kind", "event_id", "occurrence"])
        .where("org_id", "=", owner.org_id)
        .orderBy("id")
        .execute();
    },
  };
}
