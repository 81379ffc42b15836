import type { App } from "../../app.ts";
import { listNotifyingRules, type Monitored, resolveOpenEvents } from "../../store/alerts/history.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import { insertNotices } from "../../store/engine/alert-events.ts";
import type { Db } from "../../store/open-store.ts";
import type { TxEffects } from "../transaction.ts";

/**
 * Makes a change after which something is no longer watched as it was, and ends the alerts that it had open: nothing else ever
 * would. Whoever was told of them hears that they are over, so that no incident stays open elsewhere.
 */
export async function resolvingAlerts<Result>(
  app: App,
  tx: Db,
  { hint }: Pick<TxEffects, "hint">,
  { org_id, of }: { org_id: string; of: Monitored },
  change: () => Promise<Result>,
): Promise<Result> {
  // Asked beforehand: a rule that is gone no longer says whether people want to hear of an end.
  const telling = await listNotifyingRules(tx, org_id, of);
  const result = await change();
  // After the change, since whoever writes alerts holds contracts, targets and rules before them.
  const ended = await resolveOpenEvents(tx, org_id, of, app.clock.now());
  const told = ended.filter(
    ({ rule_id, is_silent, held_for }) => !is_silent && !held_for && rule_id && telling.has(rule_id),
  );
  await insertNotices(
    tx,
    told.map(({ id }) => newNotice(app, org_id, id, "resolved")),
  );
  if (told.length > 0) hint({ topic: "notice.written" });
  return result;
}
