import { AppError } from "../../errors/app-error.ts";
import { getUser } from "../../store/accounts/users.ts";
import type { Db } from "../../store/open-store.ts";
import { hasVerifiedAdmin } from "../../store/orgs/members.ts";
import type { OrgCaller } from "../caller.ts";

/** Rejects callers without a verified address, who must not send messages to people outside the service. */
export async function requireVerified(
  db: Db,
  caller: OrgCaller,
  action = "create e-mail or SMS channels",
): Promise<void> {
  if (await isVerified(db, caller)) return;
  throw new AppError("verification_required", `Confirm your e-mail address before you ${action}.`);
}

/** A key acts for the org, so one of its admins must be verified. The operator answers for themselves. */
async function isVerified(db: Db, caller: OrgCaller): Promise<boolean> {
  if (caller.kind === "system") return true;
  if (caller.kind === "api_key") return hasVerifiedAdmin(db, caller.org_id);
  return (await getUser(db, caller.user_id)).is_verified;
}
