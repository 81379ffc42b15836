import { type RawBuilder, sql } from "kysely";
import type { Db } from "./open-store.ts";

/** The caller as a query sees it: an org, and the restrictions of a member or an API key within it. */
export type Viewer = {
  org_id: string;
  /** Null for callers who see every contract of the org, such as admins. */
  user_id: string | null;
  /** The contracts and chains that an API key is restricted to; null when unrestricted. */
  contract_scope: string[] | null;
  chain_scope: number[] | null;
};

/** A viewer who sees the whole org, for counts and internal work. */
export function orgViewer(org_id: string): Viewer {
  return { org_id, user_id: null, contract_scope: null, chain_scope: null };
}

/** True when the viewer sees everything in the org, so that no filter is needed. */
export function isUnrestricted({ user_id, contract_scope, chain_scope }: Viewer): boolean {
  return user_id === null && contract_scope === null && chain_scope === null;
}

/** True for an API key that is restricted to contracts or chains. */
export function isScopedKey({
  contract_scope,
  chain_scope,
}: Pick<Viewer, "contract_scope" | "chain_scope">): boolean {
  return contract_scope !== null || chain_scope !== null;
}

/**
 * True for the contracts that a viewer sees: restricted ones only with a grant, and for an API key only those in its
 * scope.
 */
export function isVisible(viewer: Viewer, contract: RawBuilder<unknown>): RawBuilder<boolean> {
  const { org_id, user_id, contract_scope, chain_scope } = viewer;
  const conditions = [
    sql`${contract}.org_id = ${org_id}`,
    ...(user_id === null ? [] : [isOpenTo(sql`${user_id}::uuid`, contract)]),
    ...(contract_scope === null ? [] : [sql`${contract}.id = any(${contract_scope}::uuid[])`]),
    ...(chain_scope === null ? [] : [sql`${contract}.chain_id = any(${chain_scope}::bigint[])`]),
  ];
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** True for the contracts that a viewer may change: visible, and restricted ones only with an editor grant. */
export function isEditable(viewer: Viewer, contract: RawBuilder<unknown>): RawBuilder<boolean> {
  const seen = isVisible(viewer, contract);
  if (viewer.user_id === null) return seen;
  return sql<boolean>`(${seen} and ${isOpenTo(sql`${viewer.user_id}::uuid`, contract, "editor")})`;
}

/**
 * The decision behind all others: true when a person who is not an admin has access to a contract, because it is not
 * restricted or by a grant. With `role`, only a grant of that role counts.
 */
function isOpenTo(
  user_id: RawBuilder<unknown>,
  contract: RawBuilder<unknown>,
  role?: "editor",
): RawBuilder<boolean> {
  const isRole = role ? sql`and g.role = ${sql.lit(role)}` : sql``;
  return sql<boolean>`(not ${contract}.is_restricted or exists (
    select 1 from contract_grants g where g.contract_id = ${contract}.id and g.user_id = ${user_id} ${isRole}))`;
}

/** True when the person is an admin of the org now. */
function isAdminNow(org_id: RawBuilder<unknown>, user_id: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select 1 from memberships m where m.org_id = ${org_id} and m.user_id = ${user_id} and m.role = 'admin')`;
}

/**
 * True when the channel `ch` may receive alerts of the event `e`, whose contract `c` is joined from the left: if it is
 * restricted, an admin or a grantee must have been the last to change where the channel sends. The grants of a deleted
 * contract are gone; its last messages go to channels that have not been changed since the event.
 */
export const mayReceive = sql<boolean>`(e.contract_id is null or ch.is_changed_by_admin
  or ${isAdminNow(sql`ch.org_id`, sql`ch.changed_by`)}
  or (case when c.id is null then ch.changed_at <= e.detected_at
    else ${isOpenTo(sql`ch.changed_by`, sql`c`)} end))`;

/** True when the author of the silence `s` may change the contract `c`. */
export const isSilenceable = sql<boolean>`(s.is_created_by_admin or ${isAdminNow(sql`s.org_id`, sql`s.created_by`)}
  or ${isOpenTo(sql`s.created_by`, sql`c`, "editor")})`;

/** True when the person who last changed the policy `p` may change the contract `c`. */
export const isGoverned = sql<boolean>`(p.is_changed_by_admin or ${isAdminNow(sql`p.org_id`, sql`p.changed_by`)}
  or ${isOpenTo(sql`p.changed_by`, sql`c`, "editor")})`;

/**
 * True when every person who can see the contract `seen` can see `other` too, so that events of `seen` may name it. Admins see
 * all contracts.
 */
export function isKnownToViewersOf(
  other: RawBuilder<unknown>,
  seen: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(${other}.id = ${seen}.id or not ${other}.is_restricted or (${seen}.is_restricted and not exists (
    select 1 from contract_grants g where g.contract_id = ${seen}.id and not exists (
      select 1 from contract_grants h where h.contract_id = ${other}.id and h.user_id = g.user_id))))`;
}

/** The facts of a contract that decide who can see it. */
export type Audience = {
  org_id: string;
  id: string;
  chain_id: number;
  is_restricted: boolean;
  /** The ids of the users with a grant. */
  grantees: ReadonlySet<string>;
};

/** The same decision as `isVisible`, for a contract in memory; a test keeps the two equal. */
export function canSee(viewer: Viewer, contract: Audience): boolean {
  const { org_id, user_id, contract_scope, chain_scope } = viewer;
  if (contract.org_id !== org_id) return false;
  if (user_id !== null && contract.is_restricted && !contract.grantees.has(user_id)) return false;
  if (contract_scope !== null && !contract_scope.includes(contract.id)) return false;
  return chain_scope === null || chain_scope.includes(contract.chain_id);
}

/** The things in paths that belong to a contract. */
export type Resource = "contract" | "target" | "rule" | "event";

const contractOf: Record<Resource, RawBuilder<unknown>> = {
  contract: sql`select id from contracts where id = `,
  target: sql`select contract_id from targets where id = `,
  rule: sql`select contract_id from alert_rules where id = `,
  event: sql`select contract_id from alert_events where held_for is null and id = `,
};

/** Finds the contract of a resource in the org, without a visibility check. */
export async function findContractOf(
  db: Db,
  org_id: string,
  resource: Resource,
  id: string,
): Promise<{ contract_id: string; chain_id: number } | undefined> {
  const { rows } = await sql<{ contract_id: string; chain_id: string }>`
    select c.id as contract_id, c.chain_id from contracts c
    where c.id = (${contractOf[resource]} ${id}) and c.org_id = ${org_id}`.execute(db);
  const row = rows[0];
  return row && { contract_id: row.contract_id, chain_id: Number(row.chain_id) };
}

/** Finds the contract of a resource if the viewer sees it, and whether the viewer may change it. */
export async function findAccess(
  db: Db,
  viewer: Viewer,
  resource: Resource,
  id: string,
): Promise<{ contract_id: string; chain: string; isEditable: boolean } | undefined> {
  const { rows } = await sql<{ contract_id: string; chain: string; is_editable: boolean }>`
    select c.id as contract_id, c.chain, ${isEditable(viewer, sql`c`)} as is_editable
    from contracts c
    where c.id = (${contractOf[resource]} ${id}) and ${isVisible(viewer, sql`c`)}`.execute(db);
  const row = rows[0];
  return row && { contract_id: row.contract_id, chain: row.chain, isEditable: row.is_editable };
}

/** Returns the ids of the contracts that the viewer may change. */
export async function listEditableIds(db: Db, viewer: Viewer, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    select c.id from contracts c
    where c.id = any(${ids}::uuid[]) and ${isEditable(viewer, sql`c`)}`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** Returns the ids of the contracts that the viewer sees. */
export async function listVisibleIds(db: Db, viewer: Viewer, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select c.id from contracts c where c.id = any(${ids}::uuid[]) and ${isVisible(viewer, sql`c`)}`.execute(
    db,
  );
  return rows.map((row) => row.id);
}
