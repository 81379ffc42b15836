import type { Insertable, Selectable } from "kysely";
import type { Db } from "../open-store.ts";
import type { Database } from "../tables.ts";

export type BillingAccount = Selectable<Database["billing_accounts"]>;

export async function findAccount(db: Db, org_id: string): Promise<BillingAccount | undefined> {
  return db.selectFrom("billing_accounts").selectAll().where("org_id", "=", org_id).executeTakeFirst();
}

/** Finds an account by its customer id, in any org. */
export async function findAccountUnscoped(db: Db, customer_id: string): Promise<BillingAccount | undefined> {
  return db
    .selectFrom("billing_accounts")
    .selectAll()
    .where("customer_id", "=", customer_id)
    .executeTakeFirst();
}

/** Locks the account until the transaction ends. Lock order: account before org. */
export async function lockAccount(db: Db, org_id: string): Promise<BillingAccount> {
  return db
    .selectFrom("billing_accounts")
    .selectAll()
    .where("org_id", "=", org_id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Records the customer of an org. The first insert wins. */
export async function insertAccount(
  db: Db,
  account: Insertable<Database["billing_accounts"]>,
): Promise<BillingAccount | undefined> {
  await db
    .insertInto("billing_accounts")
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return findAccount(db, account.org_id);
}

/**
 * Replaces a customer that was deleted at the processor, and closes its open checkout. Does nothing when another
 * request replaced it first.
 */
export async function replaceCustomer(
  db: Db,
  { org_id, gone, customer_id }: { org_id: string; gone: string; customer_id: string },
  updated_at: Date,
): Promise<BillingAccount> {
  await db
    .updateTable("billing_accounts")
    .set((query) => ({
      ...{ customer_id, checkout_session_id: null, updated_at },
      revision: query("revision", "+", 1),
    }))
    .where("org_id", "=", org_id)
    .where("customer_id", "=", gone)
    .execute();
  return db.selectFrom("billing_accounts").selectAll().where("org_id", "=", org_id).executeTakeFirstOrThrow();
}

/** The stored part of a subscription. */
export type StoredSubscription = {
  subscription_id: string;
  status: string;
  tier: NonNullable<BillingAccount["tier"]>;
  current_period_end: Date | null;
  cancel_at_period_end: boolean;
};

/** Writes the state of an account and increments its revision. */
export async function updateAccount(
  db: Db,
  org_id: string,
  subscribed: StoredSubscription | undefined,
  updated_at: Date,
): Promise<void> {
  await db
    .updateTable("billing_accounts")
    .set((query) => ({ ...subscribed, updated_at, revision: query("revision", "+", 1) }))
    .where("org_id", "=", org_id)
    .execute();
}

export async function setCheckoutSession(db: Db, org_id: string, session_id: string): Promise<void> {
  await db
    .updateTable("billing_accounts")
    .set({ checkout_session_id: session_id })
    .where("org_id", "=", org_id)
    .execute();
}

/** Records a processed event. Returns false for a repeat. */
export async function insertEvent(db: Db, event: Insertable<Database["billing_events"]>): Promise<boolean> {
  const row = await db
    .insertInto("billing_events")
    .values(event)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

export async function hasEvent(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom("billing_events").select("id").where("id", "=", id).executeTakeFirst();
  return row !== undefined;
}
