import { OperatorError } from "../../lib/operator-error.ts";
import type { Random } from "../../lib/random.ts";
import { type KeyVault, makeVault, type Vault, VaultError } from "../../lib/secrets/vault.ts";
import type { Db } from "../open-store.ts";
import { countByKey, listSealedWith, sealedPlaces } from "./sealed-places.ts";
import { insertFirstKey, listSecretKeys, type SecretKeyRow } from "./secret-keys.ts";

/** The keys of the service: the active one and, during a rotation, the one that it replaces. */
export type KeyRing = Vault & {
  /** Reads the keys again, after another process has begun or finished a rotation. */
  reload(): Promise<void>;
  /** Adds a key that another process of the service uses, for a process that missed a whole rotation. */
  learn(key: Buffer): void;
  active(): KeyVault;
  retiring(): KeyVault | undefined;
};

const checkText = "tocsin";
const checkContext = "secret_keys:check";
const peerContext = "secret_keys:peer";

/** Opens the key ring with a key of the operator. Rejects with an OperatorError when the key is not that of the database. */
export async function openKeyRing(db: Db, key: Buffer, random: Random, now: Date): Promise<KeyRing> {
  const vault = makeVault(key, random);
  await registerFirstKey(db, vault, now);
  let ring = await loadRing(db, [vault], random);
  let learned: KeyVault[] = [];
  const find = (sealed: Buffer) => [ring.active, ring.retiring].find((vault) => vault?.hasSealed(sealed));
  const reload = async () => {
    const vaults = [ring.active, ...(ring.retiring ? [ring.retiring] : []), ...learned];
    ring = await loadRing(db, vaults, random);
  };
  return {
    seal: (plain, context) => ring.active.seal(plain, context),
    async open(sealed, context) {
      if (!find(sealed)) await reload();
      return (find(sealed) ?? ring.active).open(sealed, context);
    },
    reload,
    learn(key) {
      learned = [makeVault(key, random)];
    },
    active: () => ring.active,
    retiring: () => ring.retiring,
  };
}

/** Returns the row of a key, without its peer. */
export function secretKeyRow(vault: KeyVault, now: Date) {
  return {
    key_id: vault.keyId,
    state: "active" as const,
    sealed_check: vault.seal(checkText, checkContext),
    sealed_peer: null,
    created_at: now,
  };
}

/** Seals a key with another one. */
export function sealPeer(vault: KeyVault, peer: KeyVault): Buffer {
  return vault.seal(peer.key, peerContext);
}

/** Opens one sealed value of each kind and returns how many that were. Rejects with an OperatorError if one does not open. */
export async function proveKey(db: Db, vault: KeyVault): Promise<number> {
  let opened = 0;
  for (const place of sealedPlaces) {
    for (const { id, sealed } of await listSealedWith(db, place, vault.keyId, { limit: 1 })) {
      requireOpen(vault, sealed, place.context(id));
      opened++;
    }
  }
  return opened;
}

/** Registers the key of a database without one: a new database, or one of an earlier version, which the key must open. */
async function registerFirstKey(db: Db, vault: KeyVault, now: Date): Promise<void> {
  if ((await listSecretKeys(db)).length > 0) return;
  const totals = await countByKey(db);
  if (totals.size > 0 && !totals.has(vault.keyId.toString("hex"))) throw wrongKey();
  await proveKey(db, vault);
  await insertFirstKey(db, secretKeyRow(vault, now));
}

async function loadRing(
  db: Db,
  vaults: KeyVault[],
  random: Random,
): Promise<{ active: KeyVault; retiring: KeyVault | undefined }> {
  const rows = await listSecretKeys(db);
  const [row, vault] = matchKey(rows, vaults);
  requireOpen(vault, row.sealed_check, checkContext);
  const peer = row.sealed_peer ? makeVault(vault.open(row.sealed_peer, peerContext), random) : undefined;
  if (row.state === "active") return { active: vault, retiring: peer };
  // A retiring row always has its peer: they are written and deleted together.
  if (!peer) throw new VaultError("The key that replaces the retiring one is missing.");
  return { active: peer, retiring: vault };
}

function matchKey(rows: SecretKeyRow[], vaults: KeyVault[]): [SecretKeyRow, KeyVault] {
  for (const vault of vaults) {
    const row = rows.find(({ key_id }) => key_id.equals(vault.keyId));
    if (row) return [row, vault];
  }
  throw wrongKey();
}

function requireOpen(vault: KeyVault, sealed: Buffer, context: string): void {
  try {
    vault.open(sealed, context);
  } catch (error) {
    throw error instanceof VaultError ? wrongKey() : error;
  }
}

function wrongKey(): OperatorError {
  return new OperatorError(
    "SECRETS_KEY does not open the secrets in the database: they were sealed with another key. Set SECRETS_KEY to the key that was " +
      "used before; without the setting, that is the file secrets.key in the data folder. After a rotation, it is the new key.",
  );
}
