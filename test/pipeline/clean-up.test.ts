import { sql } from "kysely";
import { expect, test } from "vitest";
import { harness } from "../support/harness.ts";
import { atLeast, emits, freshWorld, transfers } from "./world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const [retained, cleanupEvery] = [256, 64];

test.each([
  ...(process.env.TEST_LONG ? [["one by one", [1]] as const] : []),
  ["in batches of different sizes", [1, 200, 63, 7, 130, 64]] as const,
])("a rule keeps at most one state below the blocks that can be rolled back, %s", async (_, sizes) => {
  const world = await freshWorld(h);
  const rule = await world.rule(await world.watch(transfers), atLeast(1));
  await world.catchUp();
  for (let mined = 0, turn = 0; mined < 700; turn++) {
    for (let block = 0; block < (sizes[turn % sizes.length] ?? 1); block++, mined++)
      world.chain.mine(mined % 9 === 0 ? [emits(1)] : []);
    await world.catchUp();
  }
  const { rows } = await sql<{ height: number; cursor: number }>`
    select s.height::int, c.height::int as cursor from rule_states s join chain_cursors c on c.chain = s.chain
    where s.rule_id = ${rule} order by s.height`.execute(h.app.db);
  const newest = rows[0]?.cursor ?? 0;
  const cleanedUpTo = Math.floor(newest / cleanupEvery) * cleanupEvery - retained;
  expect(newest).toBeGreaterThan(600);
  expect(rows.length).toBeGreaterThan(20);
  // The last batch may have been cleaned up beyond this height, so that the one state is above it.
  expect(rows.filter(({ height }) => height <= cleanedUpTo).length).toBeLessThanOrEqual(1);
});
