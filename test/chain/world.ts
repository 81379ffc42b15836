import type { Abi } from "viem";
import { afterAll } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { catchUp as catchUpWith } from "../support/catch-up.ts";
import { type Harness, harness } from "../support/harness.ts";
import { startNode, type TestNode } from "./node.ts";

/** The service with one user, a real node, and an engine that a test advances step by step. */
export type ChainWorld = Awaited<ReturnType<typeof makeChainWorld>>;

/** Longer than the time between two reads of the same state. */
export const pollSeconds = 20;

type Watched = { address: string; abi?: Abi };

export async function makeChainWorld(env: Record<string, string> = {}) {
  const node: TestNode = await startNode();
  const h: Harness = await harness({ env: { RPC_LOCAL: node.url, ...env } });
  const owner = await h.personOn("enterprise");
  const local = chainOf("local") as Chain;
  const reader = makeEvmReader({ chain: local, urls: [node.url], clock: h.clock, log: h.app.log });
  afterAll(() => reader.close());
  let follower = new Follower(h.app, local, reader);

  /** Steps until the engine is idle. */
  const catchUp = () => catchUpWith(follower);

  const post = async <Thing>(path: string, body: object): Promise<Thing> => {
    const reply = await owner.client.post(path, body);
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body as Thing;
  };

  const register = ({ address, abi }: Watched, more: object = {}) =>
    post<Contract>("/contracts", { chain: "local", address, ...(abi && { abi }), ...more });

  /** Creates a rule on the only target of a contract, and returns its id. */
  const rule = async (contract_id: string, condition: object): Promise<string> => {
    const targets = (await owner.client.get(`/contracts/${contract_id}/targets`)).body as Target[];
    const target_id = targets[0]?.id;
    const body = { target_id, severity: "critical", record_only: true, condition, cooldown_seconds: 0 };
    return (await post<{ id: string }>("/alerts", body)).id;
  };

  return {
    h,
    owner,
    node,
    reader,
    catchUp,
    step: () => follower.step(),
    /** Replaces the engine by a new one that has only the stored state. */
    async restart() {
      await follower.stop();
      follower = new Follower(h.app, local, reader);
    },
    /** Adds a contract without targets. */
    register,
    rule,
    /** Adds a contract with a target and a rule; returns the rule's id. */
    async watch(
      contract: Watched,
      target: { target_type: string; config?: object },
      condition: object,
    ): Promise<string> {
      // Blocks from before are not processed.
      await catchUp();
      const { id } = await register(contract, { selected_targets: [target] });
      const rule_id = await rule(id, condition);
      await catchUp();
      return rule_id;
    },
    /** Advances the time so that state is read at the next block. */
    async mineAfterPollInterval() {
      await node.wait(pollSeconds);
      await node.mine();
      await catchUp();
    },
    /** Returns the events of a rule, newest first. */
    async events(rule_id: string): Promise<AlertEvent[]> {
      return (await owner.client.get(`/alerts/${rule_id}/history`)).body as AlertEvent[];
    },
    /** Returns the notices of a rule, oldest first. */
    async notices(rule_id: string): Promise<string[]> {
      const rows = await h.app.db
        .selectFrom("alert_notices as n")
        .innerJoin("alert_events as e", "e.id", "n.event_id")
        .select("n.kind")
        .where("e.rule_id", "=", rule_id)
        .orderBy("n.id")
        .execute();
      return rows.map(({ kind }) => kind);
    },
    /** Returns the only target of a rule's contract. */
    async target(rule_id: string): Promise<Target> {
      const rule = (await owner.client.get(`/alerts/${rule_id}`)).body as { contract_id: string };
      const targets = (await owner.client.get(`/contracts/${rule.contract_id}/targets`)).body as Target[];
      return targets[0] as Target;
    },
  };
}
