import type { App } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { compileContract, type WatchedTarget } from "../../pipeline/index.ts";
import { findWatched, type WatchRow, type WatchRuleRow } from "../../store/engine/watch.ts";
import { findAccess } from "../../store/viewer.ts";
import type { RuleCondition } from "../../wire/alerts/rule-condition.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";

/** Loads a target that the caller can see, as the engine measures it. */
export async function loadWatchedTarget(
  app: App,
  caller: OrgCaller,
  target_id: string,
): Promise<{ target: WatchedTarget; contract: WatchRow }> {
  const access = await findAccess(app.db, viewerOf(caller), "target", target_id);
  const row = access && (await findWatched(app.db, caller.org_id, access.contract_id));
  const chain = row && chainOf(row.chain);
  const target = chain && compileContract(chain, row).targets.find((one) => one.id === target_id);
  if (!target) throw noSuchTarget();
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
