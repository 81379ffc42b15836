import { type App, newId } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { emailKey } from "../../store/accounts/users.ts";
import {
  deleteGrant,
  type GrantRow,
  listGrants as listRows,
  upsertGrant,
} from "../../store/contracts/grants.ts";
import type { Db } from "../../store/open-store.ts";
import { findMember, findMemberByEmail } from "../../store/orgs/members.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import type { Grant, GrantCreate } from "../../wire/contracts/contracts.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

export async function listGrants(app: App, caller: OrgCaller, contract_id: string): Promise<Grant[]> {
  const rows = await listRows(app.db, caller.org_id, contract_id);
  return rows.map(toGrant);
}

/** Grants a member access to a contract. The first grant restricts it to admins and grantees. */
export async function grantAccess(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  input: GrantCreate,
): Promise<Grant> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    // The grants of a contract decide whether it is restricted, so changes to them are serialised.
    await lockOrg(tx, caller.org_id);
    const user_id = await memberOf(tx, caller.org_id, input);
    const row = await upsertGrant(tx, {
      id: newId(app),
      org_id: caller.org_id,
      contract_id,
      user_id,
      role: input.role,
      granted_by: caller.user_id,
      created_at: app.clock.now(),
    });
    audit({
      org_id: caller.org_id,
      action: "contract.access_granted",
      subject: { type: "contract", id: contract_id },
      details: { user_id, role: input.role },
    });
    return toGrant(row);
  });
}

export async function revokeAccess(
  app: App,
  caller: OrgCaller,
  contract_id: string,
  user_id: string,
): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    await lockOrg(tx, caller.org_id);
    if (!(await deleteGrant(tx, caller.org_id, contract_id, user_id))) {
      throw new AppError("not_found", "This user has no access grant for the contract.");
    }
    audit({
      org_id: caller.org_id,
      action: "contract.access_revoked",
      subject: { type: "contract", id: contract_id },
      details: { user_id },
    });
    return { ok: true };
  });
}

/** Returns the user id of a member; other people must be invited first. */
async function memberOf(tx: Db, org_id: string, { user_id, email }: GrantCreate): Promise<string> {
  const member = user_id
    ? await findMember(tx, org_id, user_id)
    : await findMemberByEmail(tx, org_id, emailKey(email ?? ""));
  if (member) return member.user_id;
  const field = user_id ? "user_id" : "email";
  throw new InvalidRequest([
    { loc: ["body", field], msg: "is not a member of the organisation", type: "value_error" },
  ]);
}

function toGrant(row: GrantRow): Grant {
  return { ...row, created_at: row.created_at.toISOString() };
}
