import { expect } from "vitest";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import type { Harness } from "../support/harness.ts";
import { longTest } from "../support/run-size.ts";
import { pidOf, rolesOf } from "./role-processes.ts";
import { newKey, withChannels } from "./sealed-channels.ts";
import { end, run, serve } from "./service.ts";

const newId = makeVault(newKey, systemRandom).keyId;
const rotation = { NEW_SECRETS_KEY: newKey.toString("base64") };

/** A service of several processes that was started with the old key. */
async function supervised() {
  const { h, env } = await withChannels(20);
  const service = await serve({ ...env, PROCESSES: "roles" });
  await expect.poll(() => holders(h)).toHaveLength(3);
  return { h, env, service };
}

/** By process, as reported to rotations: true if it uses the new key. */
async function holders(h: Harness): Promise<{ id: string; isNew: boolean }[]> {
  const rows = await h.app.db
    .selectFrom("secret_key_holders")
    .select(["process_id", "active_key_id"])
    .execute();
  return rows.map(({ process_id, active_key_id }) => ({
    id: process_id,
    isNew: active_key_id.equals(newId),
  }));
}

longTest(
  "a process that is started again after a rotation gets the new key from the supervisor, whose settings have the old one",
  async () => {
    const { h, env, service } = await supervised();
    expect(await run(["secrets", "rotate"], { ...env, ...rotation })).toMatchObject({ code: 0 });
    const before = (await holders(h)).map(({ id }) => id);
    for (const name of await rolesOf(service).then((roles) => roles.keys()))
      process.kill(await pidOf(service, name), "SIGKILL");
    const started = async () => (await holders(h)).filter(({ id, isNew }) => isNew && !before.includes(id));
    await expect.poll(started).toHaveLength(3);
    expect(service.output()).not.toContain("process failed to start");
    await end(service, "SIGTERM");
    // The next start has only the settings.
    await expect(serve({ ...env, PROCESSES: "roles" })).rejects.toThrow(/SECRETS_KEY does not open/);
  },
);

longTest(
  "a process that is frozen during a whole rotation uses the new key when it continues",
  { timeout: 240_000 },
  async () => {
    const { h, env, service } = await supervised();
    const frozen = await pidOf(service, "tocsin deliver+jobs");
    process.kill(frozen, "SIGSTOP");
    // A process that is not seen for a while does not hold up the rotation.
    expect(await run(["secrets", "rotate"], { ...env, ...rotation })).toMatchObject({ code: 0 });
    const isHeldByOld = async () => (await holders(h)).some(({ isNew }) => !isNew);
    expect(await isHeldByOld()).toBe(true);
    process.kill(frozen, "SIGCONT");
    await expect.poll(isHeldByOld, { timeout: 60_000 }).toBe(false);
    expect(await pidOf(service, "tocsin deliver+jobs")).toBe(frozen);
  },
);
