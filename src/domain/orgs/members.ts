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
import { lockOrg } from "../../store/orgs/orgs.ts";
import type { Member } from "../../wire/orgs/orgs.ts";
import type { Role } from "../../wire/primitives.ts";
import type { OrgCaller } from "../caller.ts";
import { write } from "../transaction.ts";

export async function listMembers(app: App, caller: OrgCaller): Promise<Member[]> {
  const rows = await listRows(app.db, caller.org_id);
  return rows.map(toMember);
}

export async function changeRole(app: App, caller: OrgCaller, user_id: string, role: Role): Promise<Member> {
  return write(app, caller, async (tx, { audit }) => {
    const member = await lockMember(tx, caller.org_id, user_id);
    if (role !== "admin") await keepOneAdmin(tx, caller.org_id, member);
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
  await write(app, caller, async (tx, { audit }) => {
    const member = await lockMember(tx, caller.org_id, user_id);
    await keepOneAdmin(tx, caller.org_id, member);
    await deleteMember(tx, caller.org_id, user_id);
    audit({
      org_id: caller.org_id,
      action: "member.removed",
      subject: { type: "user", id: user_id },
      details: { email: member.email, role: member.role },
    });
  });
}

/** Every change of members goes through the org's lock, so two at once cannot each spare the other's admin. */
async function lockMember(tx: Db, org_id: string, user_id: string): Promise<MemberRow> {
  await lockOrg(tx, org_id);
  const member = await findMember(tx, org_id, user_id);
  if (!member) throw new AppError("not_found", "There is no such member.");
  return member;
}

async function keepOneAdmin(tx: Db, org_id: string, member: MemberRow): Promise<void> {
  if (member.role !== "admin" || (await countMembers(tx, org_id, "admin")) > 1) return;
  throw new AppError("last_admin", "This is the last admin. Make somebody else an admin first.");
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
