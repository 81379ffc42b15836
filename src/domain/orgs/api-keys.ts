import { type App, newId } from "../../app.ts";
import { chains } from "../../chains/index.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import type { Db } from "../../store/open-store.ts";
import * as store from "../../store/orgs/api-keys.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { listVisibleIds } from "../../store/viewer.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { ApiKey, ApiKeyCreate, NewApiKey } from "../../wire/orgs/api-keys.ts";
import type { KeyCaller, MemberCaller, RequestContext } from "../caller.ts";
import { write } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

const brand = "tocsin_";
/** The brand and eight of 43 random characters: enough to know a key by, useless for guessing the rest. */
const prefixLength = brand.length + 8;
export const inactiveKeyDays = 90;
const dayMs = 24 * 60 * 60 * 1000;

/** The org's keys, newest first. Whoever does not see a contract does not learn its id here. */
export async function listKeys(app: App, caller: MemberCaller): Promise<ApiKey[]> {
  const goneSince = new Date(app.clock.now().getTime() - inactiveKeyDays * dayMs);
  const rows = await store.listKeys(app.db, caller.org_id, goneSince);
  const named = [...new Set(rows.flatMap((row) => row.contract_scope ?? []))];
  const seen = new Set(await listVisibleIds(app.db, viewerOf(caller), named));
  return rows.map((row) => toKey(app, row, (id) => caller.role === "admin" || seen.has(id)));
}

/** Makes a key and shows it once. Counted under the org's lock, so that many at once cannot pass the limit. */
export async function createKey(app: App, caller: MemberCaller, input: ApiKeyCreate): Promise<NewApiKey> {
  const issues = scopeIssues(app, input);
  return write(app, caller, async (tx, { audit }) => {
    await refuseOverQuota(tx, caller.org_id);
    issues.push(...(await contractIssues(tx, caller, input.contract_scope ?? [])));
    if (issues.length > 0) throw new InvalidRequest(issues);
    const made = await insert(app, tx, {
      org_id: caller.org_id,
      name: input.name,
      scope: input.scope,
      contract_scope: input.contract_scope ? [...new Set(input.contract_scope)] : null,
      chain_scope: input.chain_scope ? [...new Set(input.chain_scope)].map(String) : null,
      expires_at: input.expires_at ? new Date(input.expires_at) : null,
      created_by: caller.user_id,
    });
    const { id, name, scope } = made;
    audit({
      org_id: caller.org_id,
      action: "api_key.created",
      subject: { type: "api_key", id },
      details: { name, scope },
    });
    return made;
  });
}

/** Ends a key at once. One that has ended stays as it is. */
export async function revokeKey(app: App, caller: MemberCaller, key_id: string): Promise<{ ok: true }> {
  return write(app, caller, async (tx, { audit, hint }) => {
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

/** Puts a new key in the place of an old one, which ends at once. */
export async function regenerateKey(app: App, caller: MemberCaller, key_id: string): Promise<NewApiKey> {
  return write(app, caller, async (tx, { audit, hint }) => {
    const old = await loadKey(tx, caller.org_id, key_id);
    const isOver = old.expires_at !== null && old.expires_at <= app.clock.now();
    const isEnded =
      !isOver && (await store.deactivateKey(tx, caller.org_id, key_id, "rotated", app.clock.now()));
    if (!isEnded) throw new AppError("api_key_inactive", "This key has ended. Make a new one instead.");
    const { org_id, name, scope, contract_scope, chain_scope, expires_at } = old;
    const made = await insert(app, tx, {
      ...{ org_id, name, scope, contract_scope, chain_scope, expires_at },
      created_by: caller.user_id,
    });
    audit({
      org_id,
      action: "api_key.rotated",
      subject: { type: "api_key", id: key_id },
      details: { prefix: old.prefix, new_key_id: made.id, new_prefix: made.prefix },
    });
    hint({ topic: "keys.changed", org_id });
    return made;
  });
}

/** Who a key speaks for, or 401 with what is wrong with it. */
export async function authenticateKey(
  app: App,
  plaintext: string,
  context: RequestContext,
): Promise<KeyCaller> {
  const hash = hashToken(plaintext);
  const row = await app.keyCache.get(hash.toString("base64url"), () => store.findKeyByHash(app.pool, hash));
  if (!row) throw new AppError("api_key_invalid", "This API key is not valid.");
  const caller = toCaller(row, context);
  if (row.deactivated_by === "expired") throw expired();
  if (!row.is_active) throw new AppError("api_key_revoked", "This API key was revoked.");
  if (row.expires_at && row.expires_at <= app.clock.now()) {
    await endExpired(app, caller, row);
    throw expired();
  }
  return caller;
}

function expired(): AppError {
  return new AppError("api_key_expired", "This API key has expired.");
}

/** The first use after its time ends a key and frees its place; of many at once, one does. */
async function endExpired(app: App, caller: KeyCaller, row: store.KeyWithTier): Promise<void> {
  await write(app, caller, async (tx, { audit, hint }) => {
    const { id, org_id, prefix } = row;
    if (await store.deactivateKey(tx, org_id, id, "expired", app.clock.now())) {
      const subject = { type: "api_key", id };
      audit({ org_id, action: "api_key.expired_use", subject, details: { prefix } });
    }
    hint({ topic: "keys.changed", org_id });
  });
}

/** Puts on record that a key tried what it was not made for. */
export async function recordDenial(
  app: App,
  caller: KeyCaller,
  details: { operation: string; reason: string },
): Promise<void> {
  await write(app, caller, async (_tx, { audit }) => {
    audit({
      org_id: caller.org_id,
      action: "api_key.scope_denied",
      subject: { type: "api_key", id: caller.key_id },
      details: { name: caller.name, ...details },
    });
  });
}

export async function loadKey(db: Db, org_id: string, key_id: string): Promise<store.KeyRow> {
  const row = await store.findKey(db, org_id, key_id);
  if (!row) throw new AppError("not_found", "There is no such API key.");
  return row;
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

async function refuseOverQuota(tx: Db, org_id: string): Promise<void> {
  const { tier } = await lockOrg(tx, org_id);
  const { activeKeys } = tierLimits[tier];
  if (activeKeys === 0) throw new AppError("tier_required", "API keys need the Pro tier or above.");
  if ((await store.countActiveKeys(tx, org_id)) < activeKeys) return;
  throw new AppError("quota_exceeded", `The ${tierName(tier)} tier has room for ${activeKeys} active keys.`);
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
  const seen = new Set(await listVisibleIds(tx, viewerOf(caller), ids));
  return ids.flatMap((id, index) =>
    seen.has(id.toLowerCase())
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

function toCaller(row: store.KeyWithTier, context: RequestContext): KeyCaller {
  return {
    kind: "api_key",
    key_id: row.id,
    name: row.name,
    user_id: null,
    org_id: row.org_id,
    tier: row.tier,
    role: "member",
    scope: row.scope,
    contract_scope: row.contract_scope,
    chain_scope: row.chain_scope?.map(Number) ?? null,
    context,
  };
}

function toKey(app: App, row: store.KeyRow, isSeen: (contract_id: string) => boolean): ApiKey {
  const lastUsed = app.usage.lastUsedAt(row.id) ?? row.last_used_at;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scope: row.scope,
    contract_scope: row.contract_scope?.filter(isSeen) ?? null,
    chain_scope: row.chain_scope?.map(Number) ?? null,
    expires_at: row.expires_at?.toISOString() ?? null,
    is_active: row.is_active,
    deactivated_at: row.deactivated_at?.toISOString() ?? null,
    last_used_at: lastUsed?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
  };
}
