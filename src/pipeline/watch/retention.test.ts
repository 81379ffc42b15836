import { expect, test } from "vitest";
import type { Chain } from "../../chains/chain.ts";
import { chainOf } from "../../chains/index.ts";
import { retentionOf } from "./retention.ts";

const ethereum = chainOf("ethereum") as Chain;

test.each([
  ["seconds", ethereum],
  ["minutes", { ...ethereum, block_time_ms: 120_000, finality_depth: 100 }],
])("on a chain with a block every few %s, no reading is folded that a rollback may reach", (_, chain) => {
  const { slackSeconds, foldAfterSeconds } = retentionOf(chain);
  expect(slackSeconds).toBeGreaterThanOrEqual((chain.finality_depth * chain.block_time_ms) / 1000);
  expect(foldAfterSeconds).toBeGreaterThanOrEqual(slackSeconds);
});
