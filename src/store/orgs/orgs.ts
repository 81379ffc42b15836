import type { Insertable, Selectable } from "kysely";
import { z } from "zod";
import { OwnerBusy } from "../../lib/concurrency/fair-queue.ts";
import type { Role } from "../../wire/primitives.ts";
import type { Db } from "../open-store.ts";
import { type Parsed, rowParser } from "../parse-row.ts";
import type { Database } from "../tables.ts";

const json = {
  business: z.record(z.string(), z.string().nullish()),
  feature_flags: z.record(z.string(), z.boolean().optional()),
};
const parseOrg = rowParser("orgs", json);

export type OrgRow = Parsed<Selectable<Database["orgs"]>, typeof json>;
export type OrgWithRole = OrgRow & { role: Role };

export async function insertOrg(db: Db, org: Insertable<Database["orgs"]>): Promise<OrgRow> {
  return parseOrg(await db.insertInto("orgs").values(org).returningAll().executeTakeFirstOrThrow());
}

/** Lists the orgs of a user, oldest membership first. */
export async function listOrgsOf(db: Db, user_id: string): Promise<OrgWithRole[]> {
  const rows = await db
    .selectFrom("orgs")
    .innerJoin("memberships", "memberships.org_id", "orgs.id")
    .selectAll("orgs")
    .select("memberships.role")
    .where("memberships.user_id", "=", user_id)
    .orderBy("memberships.joined_at")
    .orderBy("orgs.id")
    .execute();
  return rows.map(parseOrg);
}

/** Finds an org of which the user is a member. */
export async function findOrgOf(db: Db, org_id: string, user_id: string): Promise<OrgWithRole | undefined> {
  const row = await db
    .selectFrom("orgs")
    .innerJoin("memberships", "memberships.org_id", "orgs.id")
    .selectAll("orgs")
    .select("memberships.role")
    .where("orgs.id", "=", org_id)
    .where("memberships.user_id", "=", user_id)
    .executeTakeFirst();
  return row && parseOrg(row);
}

export async function findOrg(db: Db, org_id: string): Promise<OrgRow | undefined> {
  const row = await db.selectFrom("orgs").selectAll().where("id", "=", org_id).executeTakeFirst();
  return row && parseOrg(row);
}

/** Locks the org until the transaction ends, so that checked counts and roles stay true. */
export async function lockOrg(db: Db, org_id: string): Promise<OrgRow> {
  const row = await db
    .selectFrom("orgs")
    .selectAll()
    .where("id", "=", org_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw hasWaitedTooLong(error) ? new OwnerBusy() : error;
    });
  return parseOrg(row);
}

/** A row is found at once, so that only its lock can take longer than a statement may. */
function hasWaitedTooLong(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "57014" || error.code === "55P03");
}

export type OrgChange = Partial<
  Pick<
    OrgRow,
    "name" | "tier" | "demo_channel_id" | "business" | "feature_flags" | "polling_interval_seconds"
  >
>;

export async function updateOrg(db: Db, org_id: string, change: OrgChange): Promise<OrgRow> {
  const { business, feature_flags, ...plain } = change;
  const row = await db
    .updateTable("orgs")
    .set({
      ...plain,
      ...(business && { business: JSON.stringify(business) }),
      ...(feature_flags && { feature_flags: JSON.stringify(feature_flags) }),
    })
    .where("id", "=", org_id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return parseOrg(row);
}

/** Lists every org with its number of members, newest first; for platform staff and the operator. */
export async function listOrgsUnscoped(
  db: Db,
  page: { limit: number; offset: number },
): Promise<(OrgRow & { members: number })[]> {
  const rows = await db
    .selectFrom("orgs")
    .selectAll("orgs")
    .select((query) =>
      query
        .selectFrom("memberships")
        .select((inner) => inner.fn.countAll<string>().as("total"))
        .whereRef("memberships.org_id", "=", "orgs.id")
        .as("members"),
    )
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(page.limit)
    .offset(page.offset)
    .execute();
  return rows.map((row) => ({ ...parseOrg(row), members: Number(row.members) }));
}

export async function countOrgs(db: Db): Promise<number> {
  const { total } = await db
    .selectFrom("orgs")
    .select((query) => query.fn.countAll<string>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(total);
}
