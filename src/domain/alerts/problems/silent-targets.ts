import { createHash } from "node:crypto";
import type { App } from "../../../app.ts";
import { chainOf } from "../../../chains/index.ts";
import { meters } from "../../../meters/index.ts";
import { listSilentTargets, type SilentTarget } from "../../../store/alerts/system-alerts.ts";
import type { NewEvent } from "../../../store/engine/alert-events.ts";
import type { ChainInfo } from "../../../wire/contracts/chains.ts";
import { systemEvent } from "../system-event.ts";
import { hourOf, type SharedCause } from "./shared-problems.ts";

/** The target types that are polled: for these, missing readings are a problem. */
const stateTypes = meters.filter((meter) => meter.reads).map((meter) => meter.type);

/** A target that was measured this long before the last block of its chain had nothing to measure since. */
const idleMs = 600_000;

/** Finds targets without readings on chains that make blocks. */
export async function findSilentTargets(app: App, enabled: ChainInfo[]): Promise<NewEvent[]> {
  const silent = await listSilentTargets(app.db, stateTypes, app.clock.now());
  const lastBlockAt = new Map(enabled.map(({ chain, last_block_at }) => [chain, last_block_at]));
  // Nothing can be measured on a chain that makes no blocks.
  const isIdle = ({ chain, since }: SilentTarget) => {
    const last = lastBlockAt.get(chain);
    return last !== undefined && last !== null && Date.parse(last) - since.getTime() < idleMs;
  };
  return silent.filter((target) => !isIdle(target)).map((target) => silentEvent(app, target));
}

/** Nodes that fail give the same reason for all contracts. */
export function causeOfSilence({ explanation }: NewEvent): SharedCause | undefined {
  const { problem, since } = JSON.parse(String(explanation)) as ReturnType<typeof explain>;
  if (problem === null) return undefined;
  return {
    key: createHash("sha256")
      .update(`${hourOf(since)} ${problem}`)
      .digest("base64url")
      .slice(0, 16),
    reason: "no_data",
    title: (chain) => `Several contracts on ${chain} have no data`,
    message:
      "Targets of several contracts cannot be measured, for the same reason, which is in the status of each.",
  };
}

function silentEvent(app: App, target: SilentTarget): NewEvent {
  const where = `${target.label} on ${chainOf(target.chain)?.name ?? target.chain}`;
  return systemEvent(app, {
    org_id: target.org_id,
    kind: "no_data",
    chain: target.chain,
    chain_id: target.chain_id,
    contract_id: target.contract_id,
    target_id: target.id,
    target_type: target.target_type,
    subject: `silent:${target.id}`,
    title: `${target.name} of ${where} has no data`,
    message:
      `Nothing has been measured since ${target.since.toISOString()}. ${target.status_reason ?? ""}`.trim(),
    value: null,
    unit: null,
    explanation: explain(target),
  });
}

function explain({ status_reason, since }: SilentTarget) {
  return { reason: "no_data", problem: status_reason, since: since.toISOString() };
}
