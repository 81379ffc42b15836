import { sql } from "kysely";
import { expect, test } from "vitest";
import { openConfig, sealConfig } from "../../src/delivery/channel-config.ts";
import { kindOf } from "../../src/domain/channels/channels.ts";
import { beginRotation, finishRotation, resealAll } from "../../src/domain/secrets/rotate-secrets.ts";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { listChannels } from "../../src/store/channels/channels.ts";
import { type KeyRing, openKeyRing } from "../../src/store/secrets/key-ring.ts";
import { countByKey, sealedPlaces } from "../../src/store/secrets/sealed-places.ts";
import { recordHolder } from "../../src/store/secrets/secret-keys.ts";
import type { Channel } from "../../src/wire/channels/channels.ts";
import { freshId } from "../api/contracts/contract-steps.ts";
import { untilLockWait } from "../api/steps.ts";
import { harness } from "../support/harness.ts";

const [oldKey, newKey, thirdKey] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
  Buffer,
  Buffer,
  Buffer,
];
const wrongKey = /SECRETS_KEY does not open the secrets in the database/;

/** A service whose secrets are sealed with the old key. */
async function serviceWithOldKey() {
  const h = await harness();
  const open = (key: Buffer) => openKeyRing(h.app.db, key, systemRandom, h.clock.now());
  h.app.vault = await open(oldKey);
  const owner = await h.personOn("enterprise");
  const slack = (name: string) => ({
    type: "slack",
    name,
    config: { webhook_url: `https://hooks.slack.com/services/T0/B0/${name}` },
  });
  const addChannel = async (name: string, headers = {}) => {
    const reply = await owner.client.post("/channels", slack(name), { headers });
    expect([reply.status, reply.status === 200 ? "" : reply.text]).toEqual([200, ""]);
    return reply.body as Channel;
  };
  /** The names in the secrets of all channels, as a process with the ring reads them. */
  const readAll = async (ring: KeyRing) => {
    const rows = await listChannels(h.app.db, owner.org_id);
    const configs = await Promise.all(rows.map((row) => openConfig({ ...h.app, vault: ring }, row)));
    return configs.map(({ webhook_url }) => String(webhook_url).split("/").at(-1));
  };
  return { h, owner, open, slack, addChannel, readAll };
}

const keysInUse = async (db: Parameters<typeof countByKey>[0]) => [...(await countByKey(db)).keys()];
const idOf = (key: Buffer) => makeVault(key, systemRandom).keyId.toString("hex");

test("a key that does not open the secrets of the database is rejected, and the right one is accepted again", async () => {
  const { h, open, addChannel } = await serviceWithOldKey();
  await addChannel("a");
  await expect(open(newKey)).rejects.toThrow(wrongKey);
  await expect(open(oldKey)).resolves.toBeDefined();
  // A database of an earlier version has secrets and no registered key.
  await h.app.db.deleteFrom("secret_keys").execute();
  await expect(open(newKey)).rejects.toThrow(wrongKey);
  await expect(open(oldKey)).resolves.toBeDefined();
});

test("every column with sealed values is part of a rotation and fenced by a trigger", async () => {
  const { h } = await serviceWithOldKey();
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and column_name like 'sealed%' and table_name <> 'secret_keys' order by 1`.execute(
    h.app.db,
  );
  const names = sealedPlaces.map(({ table, column }) => `${table}.${column}`).sort();
  expect(rows.map(({ name }) => name)).toEqual(names);
  const triggers = await sql<{ name: string }>`
    select event_object_table as name from information_schema.triggers where trigger_name like '%\\_sealed' group by 1`.execute(
    h.app.db,
  );
  expect(triggers.rows.map(({ name }) => name).sort()).toEqual(sealedPlaces.map(({ table }) => table).sort());
});

test("a rotation re-seals everything while the service reads and writes, and ends the old key", async () => {
  const { h, owner, open, slack, addChannel, readAll } = await serviceWithOldKey();
  for (const name of ["a", "b"]) await addChannel(name);
  const keyed = { "idempotency-key": "once" };
  await addChannel("c", keyed);
  expect((await owner.client.post("/auth/forgot-password", { email: owner.user.email })).status).toBeLessThan(
    300,
  );
  const rotating = await open(oldKey);
  await beginRotation(h.app, rotating, newKey);
  // The service has not heard of the rotation: its first write is rejected, and repeated with the new key.
  await addChannel("d");
  expect((await keysInUse(h.app.db)).sort()).toEqual([idOf(oldKey), idOf(newKey)].sort());
  const names = ["a", "b", "c", "d"];
  // Either key starts the service now.
  for (const key of [oldKey, newKey]) expect(await readAll(await open(key))).toEqual(names);
  await expect(open(thirdKey)).rejects.toThrow(wrongKey);

  const bystander = await open(oldKey);
  await resealAll(h.app, rotating, () => undefined);
  expect(await keysInUse(h.app.db)).toEqual([idOf(newKey)]);
  await finishRotation(h.app, rotating, 0);
  for (const ring of [rotating, bystander, await open(newKey)]) expect(await readAll(ring)).toEqual(names);
  await expect(open(oldKey)).rejects.toThrow(wrongKey);
  const repeated = await owner.client.post("/channels", slack("c"), { headers: keyed });
  expect(repeated.headers["idempotency-replayed"] ?? (repeated.body as { code: string }).code).toMatch(
    /true|shown_once/,
  );
  await h.runJobs();
  expect(h.mails.length).toBeGreaterThan(0);
  const { rows } = await sql<{ action: string }>`
    select action from audit_log where action like 'secrets.%' order by created_at, action`.execute(h.app.db);
  expect(rows.map(({ action }) => action).sort()).toEqual(["secrets.rotated", "secrets.rotation_started"]);
});

test("a rotation waits for transactions that have written with the old key, and re-seals their values", async () => {
  const { h, owner, open, readAll } = await serviceWithOldKey();
  const rotating = await open(oldKey);
  const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const id = freshId();
  const writing = h.app.db.transaction().execute(async (tx) => {
    const config = { webhook_url: "https://hooks.slack.com/services/T0/B0/late" };
    const times = {
      last_success_at: null,
      last_error: null,
      created_at: h.clock.now(),
      updated_at: h.clock.now(),
    };
    const sealed = sealConfig(h.app, kindOf("slack"), id, config);
    await tx
      .insertInto("channels")
      .values({ id, org_id: owner.org_id, type: "slack", name: "late", ...sealed, ...times })
      .execute();
    written.resolve();
    await commit.promise;
  });
  await written.promise;
  const beginning = beginRotation(h.app, rotating, newKey);
  await untilLockWait(h, beginning);
  commit.resolve();
  await Promise.all([writing, beginning]);
  await resealAll(h.app, rotating, () => undefined);
  await finishRotation(h.app, rotating, 0);
  expect(await readAll(await open(newKey))).toEqual(["late"]);
});

test("the old key is kept while a running process does not use the new one, or a value cannot be opened", async () => {
  const { h, open, addChannel, readAll } = await serviceWithOldKey();
  const { id } = await addChannel("a");
  await addChannel("b");
  const rotating = await open(oldKey);
  await beginRotation(h.app, rotating, newKey);
  await expect(beginRotation(h.app, rotating, thirdKey)).rejects.toThrow(
    /A rotation to another key was interrupted/,
  );
  const damaged = Buffer.concat([makeVault(oldKey, systemRandom).seal("x", "somewhere else")]);
  await sql`alter table channels disable trigger channels_sealed`.execute(h.app.db);
  const [before] = await h.app.db
    .selectFrom("channels")
    .select("sealed_secrets")
    .where("id", "=", id)
    .execute();
  await h.app.db.updateTable("channels").set({ sealed_secrets: damaged }).where("id", "=", id).execute();
  await resealAll(h.app, rotating, () => undefined);
  await expect(finishRotation(h.app, rotating, 0)).rejects.toThrow(/1 values cannot be opened/);
  await h.app.db
    .updateTable("channels")
    .set({ sealed_secrets: before?.sealed_secrets ?? null })
    .where("id", "=", id)
    .execute();
  await sql`alter table channels enable trigger channels_sealed`.execute(h.app.db);

  await resealAll(h.app, rotating, () => undefined);
  const process_id = freshId();
  await recordHolder(h.app.db, process_id, makeVault(oldKey, systemRandom).keyId);
  await expect(finishRotation(h.app, rotating, 0)).rejects.toThrow(
    /1 running processes do not use the new key/,
  );
  await recordHolder(h.app.db, process_id, makeVault(newKey, systemRandom).keyId);
  await finishRotation(h.app, rotating, 0);
  expect(await readAll(await open(newKey))).toEqual(["a", "b"]);
});
