import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { type AbiIndex, emptyAbi } from "../../chains/evm/abi/abi.ts";
import { familyOf } from "../../chains/families.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { offloadFor } from "../../lib/concurrency/worker-pool.ts";
import { compileContract, pollingSecondsOf, type WatchedTarget } from "../../pipeline/index.ts";
import { findContract } from "../../store/contracts/contracts.ts";
import { findWatched, type WatchRow, type WatchRuleRow } from "../../store/engine/watch.ts";
import type { InspectedContract } from "../../store/inspection/inspections.ts";
import type { Db } from "../../store/open-store.ts";
import { findAccess, orgViewer } from "../../store/viewer.ts";
import type { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { OrgCaller } from "../caller.ts";
import { knownInterface, withInspection } from "../inspection/contract-facts.ts";
import { viewerOf } from "../viewer-of.ts";

/** The contract that rules and targets are about, as far as the names and units in them depend on it. */
export type RuleSubject = {
  chain: Pick<Chain, "kind">;
  /** The ABI by which its activity is decoded. */
  abi: AbiIndex;
  /** The events and functions of the contract; undefined while they are not completely known. */
  events: AbiIndex["events"] | undefined;
  functions: AbiIndex["functions"] | undefined;
  /** The seconds between two readings of its state. */
  pollingSeconds: number;
};

/** Loads the contract that a rule is about, with the ABI of the code behind it, or that of an inspection that is not stored. */
export async function loadSubject(
  { workers }: Pick<App, "workers">,
  db: Db,
  org_id: string,
  contract_id: string,
  inspected?: InspectedContract,
): Promise<RuleSubject | undefined> {
  const storedWatch = await findWatched(db, org_id, contract_id);
  const storedRow = storedWatch && (await findContract(db, orgViewer(org_id), contract_id));
  const chain = storedRow && chainOf(storedRow.chain);
  if (!storedRow || !chain) return undefined;
  const { row, watched } = withInspection({ row: storedRow, watched: storedWatch }, inspected);
  const offload = offloadFor(workers, org_id);
  return {
    chain,
    abi: (await familyOf(chain).compileSubject({ ...watched, chain }, offload)).abi ?? emptyAbi,
    ...(await knownInterface(row, watched, offload)),
    pollingSeconds: pollingSecondsOf(watched),
  };
}

/** Loads a target that the caller can see, as the engine measures it. */
export async function loadWatchedTarget(
  app: App,
  caller: OrgCaller,
  target_id: string,
): Promise<{ target: WatchedTarget; contract: WatchRow }> {
  const access = await findAccess(app.db, viewerOf(caller), "target", target_id);
  const row = access && (await findWatched(app.db, caller.org_id, access.contract_id));
  const chain = row && chainOf(row.chain);
  const targets = chain
    ? (await compileContract(chain, row, offloadFor(app.workers, caller.org_id))).targets
    : [];
  const target = targets.find((watchedTarget) => watchedTarget.id === target_id);
  if (!row || !target) throw noSuchTarget();
  return { target, contract: row };
}

export function noSuchTarget(): AppError {
  return new AppError("not_found", "There is no such target, or it is not measured.");
}

/** A rule that is not stored, as the compiler expects it. */
export function unstoredRule(
  { target_id, condition, ...given }: { target_id: string; condition: RuleCondition } & Partial<WatchRuleRow>,
  created_at: string,
): WatchRuleRow {
  return {
    id: target_id,
    target_id,
    version: 1,
    name: "Back-test",
    severity: "info",
    condition,
    for_seconds: 0,
    resolve_after_seconds: 0,
    cooldown_seconds: 0,
    renotify_seconds: null,
    notify_on_resolve: false,
    no_data: "ignore",
    mode: "shadow",
    confirmations: null,
    message_template: null,
    agent_id: null,
    created_at,
    ...given,
  };
}
