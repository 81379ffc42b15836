import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { eraseUser, lockUser } from "../../store/accounts/users.ts";
import type { Db } from "../../store/open-store.ts";
import { countMembers, deleteMember } from "../../store/orgs/members.ts";
import { listOrgsOf, lockOrg, type OrgWithRole } from "../../store/orgs/orgs.ts";
import type { AccountDelete } from "../../wire/accounts/auth.ts";
import type { UserCaller } from "../caller.ts";
import { accountDeletedMail, queueMail } from "../mail.ts";
import { removeOrg } from "../orgs/delete-org.ts";
import { inTransaction, type TxEffects } from "../transaction.ts";
import { requirePassword } from "./password-change.ts";

/** Deletes the account of the caller, who leaves every org; an org without other members is deleted as well. */
export async function deleteAccount(
  app: App,
  caller: UserCaller,
  { password }: AccountDelete,
): Promise<{ ok: true }> {
  await requirePassword(app, caller, password);
  return inTransaction(app, caller, async (tx, effects) => {
    const user = await lockUser(tx, caller.user_id);
    const orgs = await lockOrgs(tx, caller.user_id);
    const withoutAdmin = orgs.filter(({ isOnlyAdmin, isAlone }) => isOnlyAdmin && !isAlone);
    if (withoutAdmin.length > 0)
      throw new AppError(
        "last_admin",
        `You are the last admin of ${withoutAdmin.map(({ org }) => org.name).join(", ")}. Make another member an admin first, or delete it.`,
      );
    for (const org of orgs) await leave(app, tx, effects, caller, org);
    effects.audit({ org_id: null, action: "user.deleted", subject: { type: "user", id: user.id } });
    await eraseUser(tx, user.id, app.clock.now());
    await queueMail(app, tx, accountDeletedMail(user.email));
    effects.hint({ topic: "mail.queued" });
    return { ok: true };
  });
}

type Left = { org: OrgWithRole; isOnlyAdmin: boolean; isAlone: boolean };

/** Locks the orgs of a person, in one order, and returns what they are there. */
async function lockOrgs(tx: Db, user_id: string): Promise<Left[]> {
  const orgs = (await listOrgsOf(tx, user_id)).sort((a, b) => (a.id < b.id ? -1 : 1));
  const left: Left[] = [];
  for (const org of orgs) {
    await lockOrg(tx, org.id);
    const isOnlyAdmin = org.role === "admin" && (await countMembers(tx, org.id, "admin")) === 1;
    left.push({ org, isOnlyAdmin, isAlone: (await countMembers(tx, org.id)) === 1 });
  }
  return left;
}

async function leave(
  app: App,
  tx: Db,
  effects: TxEffects,
  { user_id }: UserCaller,
  { org, isAlone }: Left,
): Promise<void> {
  if (isAlone) return removeOrg(app, tx, effects, org.id);
  await deleteMember(tx, org.id, user_id);
  const details = { role: org.role };
  effects.audit({ org_id: org.id, action: "member.left", subject: { type: "user", id: user_id }, details });
}
