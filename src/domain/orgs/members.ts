import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Db } from "../../store/open-store.ts";
import {
  countMembers,
  deleteMember,
  findMember,
  listMembers as listRows,
  type MemberRow,
  updateMemberRole,
} from "../../store/orgs/members.ts";
import { findOrgOf, lockOrg } from "../../store/orgs/orgs.ts";
import type { Member } from "../../wire/orgs/orgs.ts";
import type { Role } from "../../wire/primitives.ts";
import type { MemberCaller, OrgCaller, UserCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

export async function listMembers(app: App, caller: OrgCaller): Promise<Member[]> {
  const rows = await listRows(app.db, caller.org_id);
  return rows.map(toMember);
}

/** Returns the user as a member of an org; undefined if they are not one. */
export async function findMembership(
  app: App,
  user: UserCaller,
  org_id: string,
): Promise<MemberCaller | undefined> {
  const org = await findOrgOf(app.db, org_id, user.user_id);
  return org && { ...user, org_id: org.id, tier: org.tier, role: org.role };
}

export async function changeRole(app: App, caller: OrgCaller, user_id: string, role: Role): Promise<Member> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    const member = await lockMember(tx, caller.org_id, user_id);
    if (role !== "admin") await requireAnotherAdmin(tx, caller.org_id, member);
    await updateMemberRole(tx, caller.org_id, user_id, role);
    audit({
      org_id: caller.org_id,
      action: "member.role_changed",
      subject: { type: "user", id: user_id },
      details: { from: member.role, to: role },
    });
    return toMember({ ...member, role });
  });
}

export async function removeMember(app: App, caller: OrgCaller, user_id: string): Promise<void> {
  await inTransaction(app, caller, async (tx, { audit }) => {
    const member = await lockMember(tx, caller.org_id, user_id);
    await requireAnotherAdmin(tx, caller.org_id, member);
    await deleteMember(tx, caller.org_id, user_id);
    audit({
      org_id: caller.org_id,
      action: "member.removed",
      subject: { type: "user", id: user_id },
      details: { email: member.email, role: member.role },
    });
  });
}

/** Ends the membership of the caller. The last admin cannot leave. */
export async function leaveOrg(app: App, caller: MemberCaller): Promise<void> {
  const { org_id, user_id } = caller;
  await inTransaction(app, caller, async (tx, { audit }) => {
    const member = await lockMember(tx, org_id, user_id);
    await requireAnotherAdmin(tx, org_id, member);
    await deleteMember(tx, org_id, user_id);
    const details = { role: member.role };
    audit({ org_id, action: "member.left", subject: { type: "user", id: user_id }, details });
  });
}

/** Locks the org, so that two concurrent changes cannot remove the last two admins. */
async function lockMember(tx: Db, org_id: string, user_id: string): Promise<MemberRow> {
  await lockOrg(tx, org_id);
  const member = await findMember(tx, org_id, user_id);
  if (!member) throw new AppError("not_found", "There is no such member.");
  return member;
}

async function requireAnotherAdmin(tx: Db, org_id: string, member: MemberRow): Promise<void> {
  if (member.role !== "admin" || (await countMembers(tx, org_id, "admin")) > 1) return;
  throw new AppError(
    "last_admin",
    "This is the last admin. Make another member an admin first, or delete the organisation.",
  );
}

function toMember(row: MemberRow): Member {
  return {
    user_id: row.user_id,
    email: row.email,
    name: row.name,
    role: row.role,
    joined_at: row.joined_at.toISOString(),
  };
}
