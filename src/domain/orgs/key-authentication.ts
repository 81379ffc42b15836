import type { App } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { runForOwner } from "../../lib/concurrency/current-owner.ts";
import { hashToken } from "../../lib/secrets/tokens.ts";
import * as store from "../../store/orgs/api-keys.ts";
import { keyTtlMs } from "../../store/orgs/key-cache.ts";
import { recordAccessDenial } from "../access.ts";
import type { KeyCaller, RequestContext } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

/**
 * Returns the caller of a key; rejects with 401 and the reason if the key is invalid, revoked or expired. The use of a key that
 * was an org's is recorded there.
 */
export async function authenticateKey(
  app: App,
  plaintext: string,
  context: RequestContext,
  operation: string,
): Promise<KeyCaller> {
  const hash = hashToken(plaintext);
  const row = await app.keyCache.get(hash.toString("base64url"), keyTtlMs, () =>
    store.findKeyByHash(app.pool, hash),
  );
  if (!row)
    throw new AppError(
      "api_key_invalid",
      "This API key is invalid. Check that it is complete, or create a new one.",
    );
  const caller = toCaller(row, context);
  const refused = row.deactivated_by === "expired" ? expired() : row.is_active ? undefined : revoked();
  if (refused) {
    await recordAccessDenial(app, caller, row.org_id, { operation, reason: refused.code });
    throw refused;
  }
  if (row.expires_at && row.expires_at <= app.clock.now()) {
    await deactivateExpired(app, caller, row);
    throw expired();
  }
  return caller;
}

function revoked(): AppError {
  return new AppError(
    "api_key_revoked",
    "This API key was revoked. Use the one that replaced it, or create a new one.",
  );
}

function expired(): AppError {
  return new AppError("api_key_expired", "This API key has expired. Create a new one.");
}

/** Deactivates a key on its first use after expiry, which frees its quota. Of concurrent requests, one does it. */
async function deactivateExpired(app: App, caller: KeyCaller, row: store.KeyWithTier): Promise<void> {
  await inTransaction(app, caller, async (tx, { audit, hint }) => {
    const { id, org_id, prefix } = row;
    if (await store.deactivateKey(tx, org_id, id, "expired", app.clock.now())) {
      const subject = { type: "api_key", id };
      audit({ org_id, action: "api_key.expired_use", subject, details: { prefix } });
    }
    hint({ topic: "keys.changed", org_id });
  });
}

/** Records in the audit log that a key was used outside its scope. */
export async function recordDenial(
  app: App,
  caller: KeyCaller,
  details: { operation: string; reason: string },
): Promise<void> {
  const { org_id, key_id, name } = caller;
  const subject = { type: "api_key", id: key_id };
  await runForOwner(org_id, () =>
    inTransaction(app, caller, async (_tx, { audit }) => {
      audit({ org_id, action: "api_key.scope_denied", subject, details: { name, ...details } });
    }),
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
