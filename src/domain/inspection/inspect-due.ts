import { type App, inSeconds } from "../../app.ts";
import { chainOf, chains } from "../../chains/index.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import { OwnerBusy } from "../../lib/concurrency/fair-queue.ts";
import { listChainSwitches } from "../../store/contracts/chain-switches.ts";
import {
  claimInspections,
  type DueInspection,
  postponeInspections,
} from "../../store/inspection/inspections.ts";
import { isEnabled } from "../contracts/chains.ts";
import { recheckNames } from "../contracts/name-status.ts";
import { inspectOne } from "./background-inspection.ts";

/**
 * Inspections of a run at the same time. An org has one of them, so that slow nodes or sources of its contracts delay no other
 * org.
 */
const maxAtOnce = 6;
/** A run ends, so that a service that stops does not wait for a long queue. */
const maxPerRun = 40;
/** Contracts that are due meanwhile do not wait for an inspection to end. */
const recheckMs = 1_000;
/** Longer than an inspection takes on a slow node; one that takes longer is abandoned. */
const deadlineMs = 60_000;
const leaseSeconds = 300;
const retrySeconds = 60;

/**
 * Inspects contracts that were not inspected yet, again those without code, and once a day the others: whether code is still
 * there, and what thresholds follow.
 */
export async function inspectDue(app: App): Promise<{ hasMore: boolean }> {
  await recheckNames(app);
  const switches = await listChainSwitches(app.db);
  const readable = chains.filter((chain) => isEnabled(app, chain, switches)).map(({ chain }) => chain);
  const running = new Map<string, Promise<void>>();
  /** Their chain cannot be read, or they have no worker thread: the rest waits for the next run. */
  const failed = new Set<string>();
  let claimed = 0;
  for (;;) {
    const limit = Math.min(maxAtOnce - running.size, maxPerRun - claimed);
    // While the claim is made, the inspection of an org may end that it excludes.
    const wasIdle = running.size === 0;
    const due = await claim(app, readable, new Set([...running.keys(), ...failed]), limit);
    claimed += due.length;
    for (const contract of due) running.set(contract.org_id, run(contract));
    if (running.size === 0 && wasIdle) return { hasMore: claimed === maxPerRun };
    if (running.size === 0) continue;
    const waiting = new AbortController();
    await Promise.race([...running.values(), app.clock.sleep(recheckMs, waiting.signal)]);
    waiting.abort();
  }

  async function run(contract: DueInspection): Promise<void> {
    if (!(await tryInspect(app, contract))) failed.add(contract.org_id);
    running.delete(contract.org_id);
  }
}

/** Claims a contract of each of some orgs that are not excluded. */
async function claim(
  app: App,
  keys: string[],
  excluded: ReadonlySet<string>,
  limit: number,
): Promise<DueInspection[]> {
  if (limit === 0) return [];
  const until = inSeconds(app, leaseSeconds);
  return claimInspections(app.db, keys, [...excluded], { now: app.clock.now(), until, limit });
}

/** Inspects a contract; postpones it and returns false if that fails. */
async function tryInspect(app: App, contract: DueInspection): Promise<boolean> {
  const chain = chainOf(contract.chain);
  try {
    if (!chain) throw new ChainError("Unknown chain.");
    const late = () => new ChainError("The inspection took too long.");
    await withDeadline(deadlineMs, inspectOne(app, chain, contract), late);
    return true;
  } catch (error) {
    const isExpected = error instanceof ChainError || error instanceof OwnerBusy;
    const log = { chain: contract.chain, contract_id: contract.id, err: error };
    app.log[isExpected ? "debug" : "warn"](log, "inspection failed, will retry");
    await postponeInspections(app.db, [contract.id], inSeconds(app, retrySeconds));
    return false;
  }
}
