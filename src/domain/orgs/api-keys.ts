import { type App, newId } from "../../app.ts";
import { chains } from "../../chains/index.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import type { Db } from "../../store/open-store.ts";
import * as store from "../../store/orgs/api-keys.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { listVisibleIds } from "../../store/viewer.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { ApiKey, ApiKeyCreate, ApiKeyUpdate, NewApiKey } from "../../wire/orgs/api-keys.ts";
import type { Page, PageQuery } from "../../wire/paging.ts";
import type { MemberCaller } from "../caller.ts";
import { byCreation, cutPage } from "../page.ts";
import { inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

const brand = "tocsin_";
/** The brand and eight of 43 random characters: enough to identify a key, too few to guess the rest. */
const prefixLength = brand.length + 8;
/** Inactive keys are listed for this long, then deleted. */
export const inactiveKeyDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

/** Returns the keys of the org, newest first. Contracts that the caller cannot see are omitted from the scopes. */
export async function listKeys(app: App, caller: MemberCaller, query: PageQuery): Promise<Page<ApiKey>> {
  const inactiveSince = new Date(app.clock.now().getTime() - inactiveKeyDays * dayMs);
  const all = await store.listKeys(app.db, caller.org_id, inactiveSince);
  const page = cutPage(all, query, byCreation, "descending");
  return { ...page, items: await withVisibleScopes(app, app.db, caller, page.items) };
}

export async function getKey(app: App, caller: MemberCaller, key_id: string): Promise<ApiKey> {
  const [key] = await withVisibleScopes(app, app.db, caller, [await loadKey(app.db, caller.org_id, key_id)]);
  return key as ApiKey;
}

/** Converts keys for the caller. */
async function withVisibleScopes(
  app: App,
  db: Db,
  caller: MemberCaller,
  rows: store.KeyRow[],
): Promise<ApiKey[]> {
  const contract_ids = [...new Set(rows.flatMap((row) => row.contract_scope ?? []))];
  const visible = new Set(await listVisibleIds(db, viewerOf(caller), contract_ids));
  return rows.map((row) => toKey(app, row, (id) => caller.role === "admin" || visible.has(id)));
}

/**
 * Creates a key and returns its plaintext. Counts under the lock of the org, so that concurrent requests cannot exceed the
 * quota.
 */
export async function createKey(app: App, caller: MemberCaller, input: ApiKeyCreate): Promise<NewApiKey> {
  const issues = scopeIssues(app, input);
  return inTransaction(app, caller, async (tx, { audit }) => {
    await requireQuota(tx, caller.org_id);
    issues.push(...(await contractIssues(tx, caller, input.contract_scope ?? [])));
    if (issues.length > 0) throw new InvalidRequest(issues);
    const created = await insert(app, tx, {
      org_id: caller.org_id,
      name: input.name,
      scope: input.scope,
      contract_scope: input.contract_scope ? [...new Set(input.contract_scope)] : null,
      chain_scope: input.chain_scope ? [...new Set(input.chain_scope)].map(String) : null,
      expires_at: input.expires_at ? new Date(input.expires_at) : null,
      created_by: caller.user_id,
    });
    const { id, name, scope } = created;
    audit({
      org_id: caller.org_id,
      action: "api_key.created",
      subject: { type: "api_key", id },
      details: { name, scope },
    });
    return created;
  });
}

/** Renames a key, active or not. The cached key has the old name, which the audit log would show, so it is loaded again. */
export async function renameKey(
  app: App,
  caller: MemberCaller,
  key_id: string,
  { name }: ApiKeyUpdate,
): Promise<ApiKey> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const before = await loadKey(tx, caller.org_id, key_id);
    const row = await store.renameKey(tx, caller.org_id, key_id, name);
    if (!row) throw noSuchKey();
    const details = { old_name: before.name, name };
    const subject = { type: "api_key", id: key_id };
    audit({ org_id: caller.org_id, action: "api_key.renamed", subject, details });
    hint({ topic: "keys.changed", org_id: caller.org_id });
    const [key] = await withVisibleScopes(app, tx, caller, [row]);
    return key as ApiKey;
  });
}

/** Revokes a key immediately. Does nothing to an inactive key. */
export async function revokeKey(app: App, caller: MemberCaller, key_id: string): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const row = await loadKey(tx, caller.org_id, key_id);
    if (await store.deactivateKey(tx, caller.org_id, key_id, "revoked", app.clock.now())) {
      const details = { prefix: row.prefix };
      audit({
        org_id: caller.org_id,
        action: "api_key.revoked",
        subject: { type: "api_key", id: key_id },
        details,
      });
    }
    hint({ topic: "keys.changed", org_id: caller.org_id });
    return { ok: true };
  });
}

/** Replaces a key with a new one; the old key stops working immediately. */
export async function regenerateKey(app: App, caller: MemberCaller, key_id: string): Promise<NewApiKey> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const old = await loadKey(tx, caller.org_id, key_id);
    const isExpired = old.expires_at !== null && old.expires_at <= app.clock.now();
    const isDeactivated =
      !isExpired && (await store.deactivateKey(tx, caller.org_id, key_id, "rotated", app.clock.now()));
    if (!isDeactivated)
      throw new AppError("api_key_inactive", "This key is inactive. Create a new one instead.");
    const { org_id, name, scope, contract_scope, chain_scope, expires_at } = old;
    const created = await insert(app, tx, {
      ...{ org_id, name, scope, contract_scope, chain_scope, expires_at },
      created_by: caller.user_id,
    });
    audit({
      org_id,
      action: "api_key.rotated",
      subject: { type: "api_key", id: key_id },
      details: { prefix: old.prefix, new_key_id: created.id, new_prefix: created.prefix },
    });
    hint({ topic: "keys.changed", org_id });
    return created;
  });
}

export async function loadKey(db: Db, org_id: string, key_id: string): Promise<store.KeyRow> {
  const row = await store.findKey(db, org_id, key_id);
  if (!row) throw noSuchKey();
  return row;
}

function noSuchKey(): AppError {
  return new AppError("not_found", "There is no such API key.");
}

type KeyFields = Pick<
  store.KeyRow,
  "org_id" | "name" | "scope" | "contract_scope" | "chain_scope" | "expires_at" | "created_by"
>;

async function insert(app: App, tx: Db, fields: KeyFields): Promise<NewApiKey> {
  const key = brand + makeToken(app.random);
  const row = await store.insertKey(tx, {
    ...fields,
    id: newId(app),
    prefix: key.slice(0, prefixLength),
    key_hash: hashToken(key),
    deactivated_at: null,
    deactivated_by: null,
    last_used_at: null,
    created_at: app.clock.now(),
  });
  return { ...toKey(app, row, () => true), key };
}

async function requireQuota(tx: Db, org_id: string): Promise<void> {
  const { tier } = await lockOrg(tx, org_id);
  const { activeKeys } = tierLimits[tier];
  if (activeKeys === 0) throw new AppError("tier_required", "API keys need the Pro tier or above.");
  if ((await store.countActiveKeys(tx, org_id)) < activeKeys) return;
  throw new AppError(
    "quota_exceeded",
    `The ${tierName(tier)} tier allows ${activeKeys} active keys. Revoke one, or upgrade.`,
  );
}

function scopeIssues(app: App, { chain_scope, expires_at }: ApiKeyCreate): Issue[] {
  const unknown = (chain_scope ?? []).flatMap((chain_id, index) =>
    chains.some((chain) => chain.chain_id === chain_id)
      ? []
      : [{ loc: ["body", "chain_scope", index], msg: "is not a known chain id", type: "value_error" }],
  );
  const isPast = expires_at && new Date(expires_at) <= app.clock.now();
  return [
    ...unknown,
    ...(isPast ? [{ loc: ["body", "expires_at"], msg: "must be in the future", type: "value_error" }] : []),
  ];
}

async function contractIssues(tx: Db, caller: MemberCaller, ids: string[]): Promise<Issue[]> {
  const visible = new Set(await listVisibleIds(tx, viewerOf(caller), ids));
  return ids.flatMap((id, index) =>
    visible.has(id.toLowerCase())
      ? []
      : [
          {
            loc: ["body", "contract_scope", index],
            msg: "is not a contract of the organisation",
            type: "value_error",
          },
        ],
  );
}

function toKey(app: App, row: store.KeyRow, isContractVisible: (contract_id: string) => boolean): ApiKey {
  const lastUsed = app.usage.lastUsedAt(row.id) ?? row.last_used_at;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scope: row.scope,
    contract_scope: row.contract_scope?.filter(isContractVisible) ?? null,
    chain_scope: row.chain_scope?.map(Number) ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    is_active: row.is_active,
    deactivated_at: row.deactivated_at?.toISOString() ?? null,
    last_used_at: lastUsed?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
  };
}
