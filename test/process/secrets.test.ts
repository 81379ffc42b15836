import { once } from "node:events";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { systemRandom } from "../../src/lib/random.ts";
import { makeVault } from "../../src/lib/secrets/vault.ts";
import { openKeyRing } from "../../src/store/secrets/key-ring.ts";
import { countByKey, sealedContext } from "../../src/store/secrets/sealed-places.ts";
import { longTest, runSize } from "../support/run-size.ts";
import { newKey, oldKey, withChannels } from "./sealed-channels.ts";
import { run, start } from "./service.ts";

longTest(
  "`tocsin secrets rotate` that is killed at any moment loses no secret and is continued by the next run",
  async () => {
    const kills = runSize("ROTATION_KILLS", { short: 1, long: 20 });
    // Each round re-seals a batch of 200 before it is killed; the rotation must not end in one.
    const total = 200 * (kills + 2);
    const { h, env } = await withChannels(total);
    const rotation = { ...env, NEW_SECRETS_KEY: newKey.toString("base64") };
    for (let kill = 0; kill < kills; kill++) {
      const { child, output } = start(["secrets", "rotate"], rotation);
      const exit = once(child, "exit");
      child.stdout?.on("data", () => child.kill("SIGKILL"));
      await exit;
      expect(output()).not.toMatch(/no longer works/);
      // Both keys open everything, whichever one a value is sealed with at the moment.
      for (const key of [oldKey, newKey]) {
        const ring = await openKeyRing(h.app.db, key, systemRandom, h.clock.now());
        const values = await h.app.db
          .selectFrom("channels")
          .select(["id", "name", "sealed_secrets"])
          .execute();
        for (const { id, name, sealed_secrets } of values) {
          const secrets = await ring.open(sealed_secrets as Buffer, sealedContext.channel(id));
          expect(secrets.toString("utf8")).toContain(`/B0/${name}"`);
        }
        expect(values).toHaveLength(total);
      }
    }
    expect(await run(["secrets", "rotate"], env)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/the previous one no longer works/),
    });
    const newId = makeVault(newKey, systemRandom).keyId.toString("hex");
    expect([...(await countByKey(h.app.db)).keys()]).toEqual([newId]);

    const [refused, doctor] = await Promise.all([run(["serve"], env), run(["doctor"], env)]);
    const sentence = /SECRETS_KEY does not open the secrets in the database/;
    expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(sentence) });
    expect(doctor).toMatchObject({ code: 1, output: expect.stringMatching(/ok +Database/) });
    expect(doctor.output).toMatch(/FAIL +Secrets: SECRETS_KEY does not open/);
  },
);

test("without SECRETS_KEY and without the key file, a database with secrets stops the start instead of making a new key", async () => {
  const { h, env } = await withChannels(1);
  const { SECRETS_KEY: _, ...withoutKey } = env;
  const { code, output } = await run(["serve"], withoutKey);
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/SECRETS_KEY is not set, and there is no file .*secrets\.key/),
  ]);
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from secret_keys`.execute(
    h.app.db,
  );
  expect(rows).toEqual([{ total: 1 }]);
});
