import type { App } from "../../app.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { type KeyVault, makeVault, VaultError } from "../../lib/secrets/vault.ts";
import { type KeyRing, sealPeer, secretKeyRow } from "../../store/secrets/key-ring.ts";
import {
  countByKey,
  listSealedWith,
  replaceSealed,
  type SealedPlace,
  sealedPlaces,
} from "../../store/secrets/sealed-places.ts";
import {
  countOutdatedHolders,
  deleteRetiringKey,
  lockSealing,
  replaceActiveKey,
} from "../../store/secrets/secret-keys.ts";
import { systemCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { holderAliveSeconds, keysChanged } from "./hold-keys.ts";

const batch = 200;

/** Reports the number of values that were re-sealed so far. */
export type Progress = (resealed: number) => void;

/**
 * Begins to replace the active key, or continues an interrupted rotation. From here on new values are sealed with the new
 * key, and either key opens both: nothing depends on this process.
 */
export async function beginRotation(app: App, ring: KeyRing, newKey: Buffer | undefined): Promise<void> {
  await ring.reload();
  const newVault = newKey && makeVault(newKey, app.random);
  if (ring.retiring()) return requireSameKey(ring, newVault);
  if (!newVault || newVault.keyId.equals(ring.active().keyId))
    throw new OperatorError(
      "NEW_SECRETS_KEY must differ from the key in use. Generate one: openssl rand -base64 32",
    );
  const old = ring.active();
  await inTransaction(app, systemCaller, async (tx, { audit, hint }) => {
    await lockSealing(tx);
    const retiring = { key_id: old.keyId, sealed_peer: sealPeer(old, newVault) };
    const active = { ...secretKeyRow(newVault, app.clock.now()), sealed_peer: sealPeer(newVault, old) };
    await replaceActiveKey(tx, retiring, active);
    audit({ org_id: null, action: "secrets.rotation_started", subject: { type: "secrets", id: null } });
    hint({ topic: keysChanged });
  });
  await ring.reload();
}

function requireSameKey(ring: KeyRing, next: KeyVault | undefined): void {
  const isOther = next && ![ring.active(), ring.retiring()].some((vault) => vault?.keyId.equals(next.keyId));
  if (isOther)
    throw new OperatorError(
      "A rotation to another key was interrupted. Finish it first: run `tocsin secrets rotate` without NEW_SECRETS_KEY.",
    );
}

/** Re-seals everything that is sealed with the retiring key, in small batches. */
export async function resealAll(app: App, ring: KeyRing, report: Progress): Promise<void> {
  const [active, retiring] = [ring.active(), ring.retiring()];
  if (!retiring) return;
  let total = 0;
  for (const place of sealedPlaces) {
    for (let after: string[] | undefined; ; ) {
      const sealedValues = await listSealedWith(app.db, place, retiring.keyId, {
        ...(after && { after }),
        limit: batch,
      });
      for (const value of sealedValues) {
        const plain = openOrSkip(app, retiring, place, value);
        if (plain) await replaceSealed(app.db, place, value, active.seal(plain, place.context(value.id)));
      }
      total += sealedValues.length;
      if (sealedValues.length > 0) report(total);
      after = sealedValues.at(-1)?.id;
      if (sealedValues.length < batch) break;
    }
  }
}

/** A damaged value cannot be opened with any key; it stays as it is. */
function openOrSkip(
  app: App,
  vault: KeyVault,
  place: SealedPlace,
  { id, sealed }: { id: string[]; sealed: Buffer },
): Buffer | undefined {
  try {
    return vault.open(sealed, place.context(id));
  } catch (error) {
    if (!(error instanceof VaultError)) throw error;
    app.log.error({ table: place.table, id }, "sealed value cannot be opened");
    return undefined;
  }
}

/**
 * Deletes the old key. Rejects if something is still sealed with it, and waits for running processes that do not use the
 * new key yet, up to `waitMs`.
 */
export async function finishRotation(app: App, ring: KeyRing, waitMs: number): Promise<void> {
  const [active, retiring] = [ring.active(), ring.retiring()];
  if (!retiring) return;
  const left = (await countByKey(app.db)).get(retiring.keyId.toString("hex")) ?? 0;
  if (left > 0)
    throw new OperatorError(
      `${left} values cannot be opened with the old key (the log names them), so it is not deleted. Delete the damaged rows and run this again.`,
    );
  await waitForHolders(app, active, waitMs);
  await inTransaction(app, systemCaller, async (tx, { audit, hint }) => {
    await deleteRetiringKey(tx);
    audit({ org_id: null, action: "secrets.rotated", subject: { type: "secrets", id: null } });
    hint({ topic: keysChanged });
  });
  await ring.reload();
}

const holderPollMs = 250;

async function waitForHolders(app: App, active: KeyVault, waitMs: number): Promise<void> {
  for (let left = waitMs; ; left -= holderPollMs) {
    const outdated = await countOutdatedHolders(app.db, active.keyId, holderAliveSeconds);
    if (outdated === 0) return;
    if (left <= 0)
      throw new OperatorError(
        `${outdated} running processes do not use the new key yet. Nothing is lost: run \`tocsin secrets rotate\` again to finish.`,
      );
    await app.clock.sleep(holderPollMs);
  }
}
