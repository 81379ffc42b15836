import { expect, test } from "vitest";
import type { TargetTypeInfo } from "../../../src/wire/contracts/target-types.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import { harness } from "../../support/harness.ts";

const h = await harness({ env: { RPC_ETHEREUM: "http://127.0.0.1:1" } });
const types = (await h.anonymous().get("/target-types")).body as TargetTypeInfo[];
const typeOf = (name: string) => types.find(({ target_type }) => target_type === name) as TargetTypeInfo;

test("a target type says what it makes the engine read, and the calls a day that this costs", () => {
  expect(typeOf("event_frequency")).toMatchObject({
    needs: ["logs"],
    cost: { reads: "Events of the contract, by filtered range queries." },
  });
  expect(typeOf("native_balance").needs).toEqual(["state"]);
  expect(typeOf("tx_rate").cost.reads).toBe("Every block of the chain, with its receipts.");
  const costs = ["native_balance", "event_frequency", "tx_rate"].map(
    (name) => typeOf(name).cost.calls_per_day,
  );
  for (const chain of ["ethereum", "base", "arbitrum"]) {
    const [state = 0, events = 0, blocks = 0] = costs.map((cost) => cost[chain] ?? 0);
    expect(state).toBeGreaterThan(1_000);
    expect(events).toBeLessThan(100_000);
    expect(blocks).toBeGreaterThanOrEqual(events);
  }
  expect(costs[1]).toMatchObject({ ethereum: expect.toSatisfy((calls: number) => calls <= 25_000) });
  expect(costs[1]).toMatchObject({ base: expect.toSatisfy((calls: number) => calls <= 60_000) });
});

test("every target type of an EVM chain has a cost, and one of Solana says that it depends on the address", () => {
  for (const { target_type, families, needs, cost } of types) {
    const isEvm = families.includes("evm");
    expect([target_type, needs.length > 0]).toEqual([target_type, true]);
    expect([target_type, Object.keys(cost.calls_per_day).length]).toEqual([target_type, isEvm ? 3 : 0]);
    expect(cost.reads).toMatch(/^[A-Z].+\.$/);
  }
});

test("the answer to creating a target shows what it needs, which its type allows", async () => {
  const { client } = await h.personOn("enterprise");
  const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
  const created = await client.post("/contracts", { chain: "ethereum", address });
  const { id } = created.body as { id: string };
  for (const { target_type, families, needs, example } of types) {
    if (!families.includes("evm")) continue;
    const target = (await client.post(`/contracts/${id}/targets`, example)).body as Target;
    expect([target_type, target.needs.length > 0]).toEqual([target_type, true]);
    expect([target_type, needs]).toEqual([target_type, expect.arrayContaining(target.needs)]);
  }
});
