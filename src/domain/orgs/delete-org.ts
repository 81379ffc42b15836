import type { App } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { findAccount } from "../../store/billing/billing.ts";
import { recordOrgWatchChange } from "../../store/engine/watch.ts";
import type { Db } from "../../store/open-store.ts";
import { eraseOrg } from "../../store/orgs/erase-org.ts";
import { deleteMember, listMembers } from "../../store/orgs/members.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import type { MemberCaller } from "../caller.ts";
import { inTransaction, type TxEffects } from "../transaction.ts";

/** Deletes an org. Its name must be repeated, because nothing of it can be restored. */
export async function deleteOrg(app: App, caller: MemberCaller, { name }: { name: string }): Promise<void> {
  await inTransaction(app, caller, async (tx, effects) => {
    const org = await lockOrg(tx, caller.org_id);
    if (org.name !== name)
      throw new InvalidRequest([
        { loc: ["query", "name"], msg: "must be the name of the organisation", type: "value_error" },
      ]);
    await removeOrg(app, tx, effects, caller.org_id);
  });
}

/** Deletes an org whose lock the transaction holds. */
export async function removeOrg(app: App, tx: Db, effects: TxEffects, org_id: string): Promise<void> {
  const { name } = await lockOrg(tx, org_id);
  await requireNoSubscription(tx, org_id, name);
  await recordOrgWatchChange(tx, org_id);
  for (const { user_id } of await listMembers(tx, org_id)) await deleteMember(tx, org_id, user_id);
  await eraseOrg(tx, org_id, app.clock.now());
  effects.audit({ org_id, action: "org.deleted", subject: { type: "org", id: org_id }, details: { name } });
  effects.hint({ topic: "watch.changed" });
  effects.hint({ topic: "keys.changed", org_id });
}

const ended = ["canceled", "incomplete_expired"];

async function requireNoSubscription(tx: Db, org_id: string, name: string): Promise<void> {
  const account = await findAccount(tx, org_id);
  if (!account?.subscription_id || account.status === null || ended.includes(account.status)) return;
  throw new AppError(
    "subscription_active",
    `${name} has a subscription. Cancel it in the billing portal first, otherwise it would still be charged.`,
  );
}
