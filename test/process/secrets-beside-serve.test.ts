import { once } from "node:events";
import { expect } from "vitest";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { openKeyRing } from "../../src/store/secrets/key-ring.ts";
import { countByKey, sealedContext } from "../../src/store/secrets/sealed-places.ts";
import type { Harness } from "../support/harness.ts";
import { longTest, runSize } from "../support/run-size.ts";
import { newKey, oldKey, withChannels } from "./sealed-channels.ts";
import { end, run, serve, start } from "./service.ts";

/** How often the rotation and the service are killed before a rotation may finish. */
const kills = runSize("ROTATION_KILLS", { short: 1, long: 10 });
const newId = makeVault(newKey, systemRandom).keyId;
const inBase64 = (key: Buffer) => key.toString("base64");

/**
 * Creates channels through a service, one after another, until `stop` is called. Adds the names of those that succeeded to
 * `confirmed`.
 */
function keepCreating(url: string, cookie: string, confirmed: string[]) {
  let isStopped = false;
  const failures: string[] = [];
  const create = async () => {
    const name = `new ${confirmed.length} ${performance.now()}`;
    const config = { webhook_url: `https://hooks.slack.com/services/T0/B0/${encodeURIComponent(name)}` };
    const reply = await fetch(`${url}/api/v1/channels`, {
      method: "POST",
      headers: { cookie, origin: url, "content-type": "application/json" },
      body: JSON.stringify({ type: "slack", name, config }),
    });
    if (reply.ok) confirmed.push(name);
    else failures.push(`${reply.status} ${await reply.text()}`);
  };
  const running = (async () => {
    // A service that was killed does not answer.
    while (!isStopped) await create().catch(() => undefined);
  })();
  return {
    failures,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

/** Signs up with a running service and returns the cookie of a member of an enterprise org. */
async function signUp(h: Harness, url: string): Promise<string> {
  const reply = await fetch(`${url}/api/v1/auth/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "writer@example.com", password: "correct horse battery staple" }),
  });
  const { active_org_id } = (await reply.json()) as { active_org_id: string };
  await h.setTier(active_org_id, "enterprise");
  return reply.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** Kills a rotation after its first batch, once the running service seals with the new key. */
async function killRotation(h: Harness, env: Record<string, string>): Promise<void> {
  const { child } = start(["secrets", "rotate"], { ...env, NEW_SECRETS_KEY: inBase64(newKey) });
  const exit = once(child, "exit");
  child.stdout?.once("data", () => child.kill("SIGKILL"));
  await exit;
  const holders = () => h.app.db.selectFrom("secret_key_holders").select("active_key_id").execute();
  await expect
    .poll(async () => (await holders()).every(({ active_key_id }) => active_key_id.equals(newId)), {
      timeout: 30_000,
    })
    .toBe(true);
}

/** Opens the secrets of every channel with the key, expects that they belong to it, and returns the names of the channels. */
async function openAll(h: Harness, key: Buffer): Promise<string[]> {
  const ring = await openKeyRing(h.app.db, key, systemRandom, h.clock.now());
  const rows = await h.app.db.selectFrom("channels").select(["id", "name", "sealed_secrets"]).execute();
  for (const { id, name, sealed_secrets } of rows) {
    const secrets = await ring.open(sealed_secrets as Buffer, sealedContext.channel(id));
    expect(secrets.toString("utf8")).toContain(`/B0/${encodeURIComponent(name)}"`);
  }
  return rows.map(({ name }) => name);
}

longTest(
  "a rotation beside a service that writes loses no secret when both are killed in the middle",
  {
    timeout: 60_000 + kills * 60_000,
  },
  async () => {
    // Each round re-seals a batch of 200 before it is killed; the rotation must not end in one.
    const total = 200 * (kills + 2);
    const { h, env } = await withChannels(total);
    const confirmed: string[] = [];
    let cookie: string | undefined;
    for (let kill = 0; kill < kills; kill++) {
      const service = await serve(env);
      cookie ??= await signUp(h, service.url);
      const writing = keepCreating(service.url, cookie, confirmed);
      await killRotation(h, env);
      const soFar = confirmed.length;
      await expect.poll(() => confirmed.length).toBeGreaterThan(soFar);
      await end(service, "SIGKILL");
      await writing.stop();
      expect(writing.failures).toEqual([]);
      for (const key of [oldKey, newKey])
        expect(await openAll(h, key)).toEqual(expect.arrayContaining(confirmed));
    }

    // The interrupted rotation is finished beside a service that was started with the old key and keeps running.
    const service = await serve(env);
    const writing = keepCreating(service.url, cookie ?? "", confirmed);
    expect(await run(["secrets", "rotate"], env)).toMatchObject({ code: 0 });
    const atEnd = confirmed.length;
    await expect.poll(() => confirmed.length).toBeGreaterThan(atEnd);
    await writing.stop();
    expect(writing.failures).toEqual([]);
    expect([...(await countByKey(h.app.db)).keys()]).toEqual([newId.toString("hex")]);
    const names = await openAll(h, newKey);
    expect(names).toEqual(expect.arrayContaining(confirmed));
    expect(names.length).toBeGreaterThanOrEqual(total + confirmed.length);
    await expect(openAll(h, oldKey)).rejects.toThrow(/SECRETS_KEY does not open/);
    await end(service, "SIGTERM");
    const doctor = await run(["doctor"], { ...env, SECRETS_KEY: inBase64(newKey) });
    expect(doctor.output).toMatch(/ok +Secrets/);
  },
);
