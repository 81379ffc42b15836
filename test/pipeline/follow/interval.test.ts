import { expect, test } from "vitest";
import { untilLockWait } from "../../api/steps.ts";
import { holdAtCommit } from "../../support/hold-at-commit.ts";
import { makeWorld } from "../world.ts";

const world = await makeWorld();
const { owner, chain, h } = world;

/** Returns the seconds between state readings, over six minutes of blocks every five seconds. */
async function gapsFrom(start: number): Promise<number[]> {
  for (let seconds = 5; seconds <= 360; seconds += 5) chain.mine([], { time: start + seconds });
  await world.catchUp();
  const rows = await h.app.db
    .selectFrom("samples")
    .select("at")
    .where("at", ">", new Date(start * 1000))
    .orderBy("at")
    .execute();
  const times = rows.map(({ at }) => at.getTime() / 1000);
  return times.slice(1).map((time, index) => time - (times[index] ?? 0));
}

test("a changed polling interval or tier applies from the next reading on", async () => {
  await world.watch({ target_type: "native_balance" });
  const { time } = chain.mine();
  await world.catchUp();
  expect(new Set(await gapsFrom(time))).toEqual(new Set([15]));

  const path = `/orgs/${owner.org_id}/settings`;
  await owner.client.patch(path, { polling_interval_seconds: 5 });
  expect(new Set(await gapsFrom(time + 400))).toEqual(new Set([5]));
  await h.setTier(owner.org_id, "free");
  expect(new Set(await gapsFrom(time + 800))).toEqual(new Set([60]));
});

test("a polling interval that is changed while the monitoring of a contract begins applies to it", async () => {
  await h.setTier(owner.org_id, "enterprise");
  const settings = `/orgs/${owner.org_id}/settings`;
  await owner.client.patch(settings, { polling_interval_seconds: 15 });
  await h.app.db.updateTable("contracts").set({ status: "PAUSED" }).execute();
  const address = "0x00000000000000000000000000000000000000b2";
  const target_id = await world.watch({ target_type: "native_balance" }, address);
  await owner.client.patch(`/targets/${target_id}`, { is_enabled: false });
  const { time } = chain.mine();
  await world.catchUp();

  const beginning = await holdAtCommit(h, () =>
    owner.client.patch(`/targets/${target_id}`, { is_enabled: true }),
  );
  const changing = holdAtCommit(h, () => owner.client.patch(settings, { polling_interval_seconds: 5 }));
  await untilLockWait(h, changing);
  beginning.commit();
  expect(await beginning.reply).toMatchObject({ status: 200 });
  await world.catchUp();
  const change = await changing;
  change.commit();
  expect(await change.reply).toMatchObject({ status: 200 });
  expect(new Set(await gapsFrom(time))).toEqual(new Set([5]));
});
