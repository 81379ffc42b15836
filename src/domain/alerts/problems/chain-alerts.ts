import { type App, inSeconds } from "../../../app.ts";
import { chainOf } from "../../../chains/index.ts";
import { listOrgsOnChain } from "../../../store/alerts/system-alerts.ts";
import { listUnread, type UnreadTarget } from "../../../store/contracts/unread-transactions.ts";
import type { NewEvent } from "../../../store/engine/alert-events.ts";
import { type ChainGap, listGaps } from "../../../store/engine/chain-gaps.ts";
import type { ChainInfo } from "../../../wire/contracts/chains.ts";
import { stalledAfterSeconds } from "../../contracts/chains.ts";
import { systemEvent } from "../system-event.ts";

/** A chain that is further behind than this raises an alert. */
const lateSeconds = 900;
/** A gap is an open alert for this long. */
const gapSeconds = 86_400;

/** Finds chains that make no new blocks although they always should: a warning about the chain, not about our service. */
export async function findIdleChains(app: App, enabled: ChainInfo[]): Promise<NewEvent[]> {
  const now = app.clock.now().getTime();
  const idle = enabled.filter((chain) => {
    const { state, last_block_at } = chain;
    const isExpected = chainOf(chain.chain)?.alwaysProducesBlocks === true;
    if (!isExpected || state !== "live" || last_block_at === null || chain.lag_seconds !== 0) return false;
    return now - Date.parse(last_block_at) > stalledAfterSeconds(chain) * 1000;
  });
  const perChain = idle.map(async (chain) => {
    const orgs = await listOrgsOnChain(app.db, chain.chain, app.clock.now());
    return orgs.map((org_id) => idleEvent(app, org_id, chain));
  });
  return (await Promise.all(perChain)).flat();
}

/** Finds chains whose blocks are processed, but so late that alerts are of little use. */
export async function findLateChains(app: App, enabled: ChainInfo[]): Promise<NewEvent[]> {
  const late = enabled.filter(
    ({ state, lag_seconds }) => state === "lagging" && (lag_seconds ?? 0) > lateSeconds,
  );
  const perChain = late.map(async (chain) => {
    const orgs = await listOrgsOnChain(app.db, chain.chain, app.clock.now());
    return orgs.map((org_id) => lateEvent(app, org_id, chain));
  });
  return (await Promise.all(perChain)).flat();
}

function lateEvent(app: App, org_id: string, chain: ChainInfo): NewEvent {
  const { lag_seconds, status_reason, head_block } = chain;
  return systemEvent(app, {
    ...{ org_id, kind: "error", severity: "warning", target_type: "chain", unit: "seconds" },
    value: lag_seconds,
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    subject: `late:${org_id}:${chain.chain}`,
    title: `Alerts on ${chain.name} are late`,
    message: `Alerts on this chain are delayed until its blocks are processed. ${status_reason ?? ""}`.trim(),
    explanation: { reason: "chain_late", head_block },
  });
}

function idleEvent(app: App, org_id: string, chain: ChainInfo): NewEvent {
  return systemEvent(app, {
    ...{ org_id, kind: "error", severity: "warning", target_type: "chain", value: null, unit: null },
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    subject: `idle:${org_id}:${chain.chain}`,
    title: `${chain.name} makes no new blocks`,
    message: `The nodes show block ${chain.head_block} of ${chain.last_block_at} as the newest one.`,
    explanation: {
      reason: "no_new_blocks",
      head_block: chain.head_block,
      last_block_at: chain.last_block_at,
    },
  });
}

/** Finds the blocks that were skipped, for the orgs that monitored the chain at that time. */
export async function findGaps(app: App): Promise<NewEvent[]> {
  const gaps = await listGaps(app.db, inSeconds(app, -gapSeconds));
  const perGap = gaps.map(async (gap) => {
    const orgs = await listOrgsOnChain(app.db, gap.chain, gap.created_at);
    return orgs.map((org_id) => gapEvent(app, org_id, gap));
  });
  return (await Promise.all(perGap)).flat();
}

function gapEvent(app: App, org_id: string, { id, chain: key, from, to }: ChainGap): NewEvent {
  const chain = chainOf(key);
  return systemEvent(app, {
    ...{ org_id, kind: "error", target_type: "chain", chain: key, value: to - from + 1, unit: "blocks" },
    chain_id: String(chain?.chain_id ?? 0),
    subject: `gap:${org_id}:${id}`,
    title: `Blocks of ${chain?.name ?? key} were not monitored`,
    message:
      `The blocks ${from} to ${to} were skipped, because the nodes do not have them any more or the operator decided to continue. ` +
      "Nothing that happened in them raised an alert.",
    explanation: { reason: "blocks_skipped", from_block: from, to_block: to },
  });
}

/** A transaction that could not be read completely is an open alert, and in the status of its target, for this long. */
export const unreadSeconds = 86_400;

/** Finds targets of which a transaction could not be read completely. */
export async function findUnread(app: App): Promise<NewEvent[]> {
  const unread = await listUnread(app.db, inSeconds(app, -unreadSeconds));
  return unread.map((target) => unreadEvent(app, target));
}

/** Says that something may have happened that a target did not see. Further transactions belong to the same open event. */
function unreadEvent(app: App, target: UnreadTarget): NewEvent {
  const where = `${target.label} on ${chainOf(target.chain)?.name ?? target.chain}`;
  return systemEvent(app, {
    org_id: target.org_id,
    kind: "error",
    severity: "warning",
    chain: target.chain,
    chain_id: target.chain_id,
    contract_id: target.contract_id,
    target_id: target.id,
    target_type: target.target_type,
    subject: `unread:${target.id}`,
    title: `${target.name} of ${where} may have missed something`,
    message: target.problem,
    value: null,
    unit: null,
    explanation: { reason: "transaction_unread", problem: target.problem },
  });
}
