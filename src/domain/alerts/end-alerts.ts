import type { App } from "../../app.ts";
import { listNotifyingRules, type Monitored, resolveOpenEvents } from "../../store/alerts/history.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import { insertNotices } from "../../store/engine/alert-events.ts";
import type { Db } from "../../store/open-store.ts";
import type { TxEffects } from "../transaction.ts";

/**
 * Makes a change that ends monitoring of a contract, target or rule as it was, and resolves its open events, which nothing
 * else would. Their recipients are notified, so that no incident stays open in another system.
 */
export async function resolvingAlerts<Result>(
  app: App,
  tx: Db,
  { hint }: Pick<TxEffects, "hint">,
  { org_id, of }: { org_id: string; of: Monitored },
  change: () => Promise<Result>,
): Promise<Result> {
  // Read before the change, because it may delete the rules.
  const notifyingRules = await listNotifyingRules(tx, org_id, of);
  const result = await change();
  // After the change, in the lock order of the engine: contracts, targets and rules before events.
  const ended = await resolveOpenEvents(tx, org_id, of, app.clock.now());
  const notified = ended.filter(
    ({ rule_id, is_silent, held_for }) => !is_silent && !held_for && rule_id && notifyingRules.has(rule_id),
  );
  await insertNotices(
    tx,
    notified.map(({ id }) => newNotice(app, org_id, id, "resolved")),
  );
  if (notified.length > 0) hint({ topic: "notice.written" });
  return result;
}
