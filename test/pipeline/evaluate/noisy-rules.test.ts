import { expect, test } from "vitest";
import type { NoisyRule } from "../../../src/wire/analytics/noisy-rules.ts";
import { day } from "../../api/steps.ts";
import { harness } from "../../support/harness.ts";
import { makeDice } from "../dice.ts";
import { emits, freshWorld, transferSignature } from "../world.ts";

const h = await harness({ env: { RPC_LOCAL: "http://127.0.0.1:1" } });
const amounts = { target_type: "event_value", config: { event_signature: transferSignature, arg: "value" } };

test("the noisiest rules come first, with a threshold that fires at most once a day", async () => {
  const now = Math.ceil(h.clock.now().getTime() / 1000);
  const world = await freshWorld(h, now - 4 * day);
  const target_id = await world.watch(amounts);
  const add = (name: string, condition: object) => world.rule(target_id, condition, { name });
  const above = (threshold: number) => ({
    operator: "gt",
    threshold,
    aggregation: "last",
    window_seconds: 300,
  });
  await add("Rare", above(99));
  await add("Noisy", above(20));
  await add("Each", { operator: "gte", threshold: 50, aggregation: "each" });
  await world.catchUp();
  const start = world.chain.tip.time;
  const dice = makeDice(3);
  for (let hours = 1; hours <= 48; hours++)
    world.chain.mine([emits(hours === 30 ? 1000 : dice.between(1, 95))], { time: start + hours * 3600 });
  await world.catchUp();
  const rules = (await world.owner.client.get("/analytics/noisy-rules")).body as NoisyRule[];
  expect(rules.map(({ name }) => name)).toEqual(["Each", "Noisy", "Rare"]);
  const [each, noisy, rare] = rules;
  expect(noisy?.fires_per_day).toBeGreaterThan(1);
  expect(noisy).toMatchObject({ reason: null, suggested_threshold: expect.any(Number), acknowledged: 0 });
  expect(noisy?.suggested_threshold).toBeGreaterThan(20);
  expect(each).toMatchObject({ suggested_threshold: null, reason: expect.stringMatching(/threshold/) });
  expect(rare).toMatchObject({
    events: 1,
    suggested_threshold: null,
    reason: "The rule fires at most once a day.",
  });
  const [first] = (await world.owner.client.get("/analytics/noisy-rules", { query: { limit: "1" } }))
    .body as NoisyRule[];
  expect(first?.name).toBe("Each");
});
