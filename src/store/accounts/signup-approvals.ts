import { type Insertable, sql } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type ApprovalStatus = "pending" | "approved" | "rejected";

export type ApprovalRow = {
  id: string;
  user_id: string;
  email: string;
  name: string;
  org_name: string;
  status: ApprovalStatus;
  requested_at: Date;
  expires_at: Date;
};

export async function insertApproval(
  db: Db,
  approval: Insertable<Database["signup_approvals"]>,
): Promise<void> {
  await db.insertInto("signup_approvals").values(approval).execute();
}

export async function findApprovalByToken(db: Db, token_hash: Buffer): Promise<ApprovalRow | undefined> {
  return selectApprovals(db).where("signup_approvals.token_hash", "=", token_hash).executeTakeFirst();
}

export async function findApproval(db: Db, approval_id: string): Promise<ApprovalRow | undefined> {
  return selectApprovals(db).where("signup_approvals.id", "=", approval_id).executeTakeFirst();
}

export async function listApprovals(
  db: Db,
  page: { status: ApprovalStatus; limit: number; offset: number },
): Promise<ApprovalRow[]> {
  return selectApprovals(db)
    .where("signup_approvals.status", "=", page.status)
    .orderBy("requested_at")
    .orderBy("signup_approvals.id")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

/** Decides a pending sign-up. Of several concurrent decisions only one returns true. */
export async function decideApproval(
  db: Db,
  approval_id: string,
  decision: {
    status: "approved" | "rejected";
    decided_at: Date;
    decided_by: string | null;
    method: "email_link" | "staff";
  },
): Promise<boolean> {
  const decided = await db
    .updateTable("signup_approvals")
    .set(decision)
    .where("id", "=", approval_id)
    .where("status", "=", "pending")
    .returning("id")
    .executeTakeFirst();
  return decided !== undefined;
}

/** Left join: a person may leave every org after the approval. */
function selectApprovals(db: Db) {
  return db
    .selectFrom("signup_approvals")
    .innerJoin("users", "users.id", "signup_approvals.user_id")
    .leftJoin("orgs", "orgs.id", "users.active_org_id")
    .select([
      "signup_approvals.id",
      "signup_approvals.user_id",
      "users.email",
      "users.name",
      sql<string>`coalesce(orgs.name, '')`.as("org_name"),
      "signup_approvals.status",
      "signup_approvals.requested_at",
      "signup_approvals.expires_at",
    ]);
}
