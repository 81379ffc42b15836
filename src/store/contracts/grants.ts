import type { Insertable } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type GrantRow = {
  id: string;
  contract_id: string;
  user_id: string;
  email: string;
  role: "viewer" | "editor";
  granted_by: string | null;
  created_at: Date;
};

export async function listGrants(db: Db, org_id: string, contract_id: string): Promise<GrantRow[]> {
  return selectGrants(db, org_id, contract_id)
    .orderBy("contract_grants.created_at")
    .orderBy("contract_grants.id")
    .execute();
}

/** Grants access or changes the role of an existing grant. */
export async function upsertGrant(db: Db, grant: Insertable<Database["contract_grants"]>): Promise<GrantRow> {
  await db
    .insertInto("contract_grants")
    .values(grant)
    .onConflict((conflict) => conflict.columns(["contract_id", "user_id"]).doUpdateSet({ role: grant.role }))
    .execute();
  await restrict(db, grant.contract_id, true);
  return selectGrants(db, grant.org_id, grant.contract_id)
    .where("contract_grants.user_id", "=", grant.user_id)
    .executeTakeFirstOrThrow();
}

export async function deleteGrant(
  db: Db,
  org_id: string,
  contract_id: string,
  user_id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("contract_grants")
    .where("org_id", "=", org_id)
    .where("contract_id", "=", contract_id)
    .where("user_id", "=", user_id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  if ((await listGrants(db, org_id, contract_id)).length === 0) await restrict(db, contract_id, false);
  return true;
}

async function restrict(db: Db, contract_id: string, is_restricted: boolean): Promise<void> {
  await db.updateTable("contracts").set({ is_restricted }).where("id", "=", contract_id).execute();
}

function selectGrants(db: Db, org_id: string, contract_id: string) {
  return db
    .selectFrom("contract_grants")
    .innerJoin("users", "users.id", "contract_grants.user_id")
    .select([
      "contract_grants.id",
      "contract_grants.contract_id",
      "contract_grants.user_id",
      "users.email",
      "contract_grants.role",
      "contract_grants.granted_by",
      "contract_grants.created_at",
    ])
    .where("contract_grants.org_id", "=", org_id)
    .where("contract_grants.contract_id", "=", contract_id);
}
