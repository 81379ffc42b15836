import { encodeFunctionData, parseAbi } from "viem";
import { expect, test } from "vitest";
import { limitEvidence } from "../../../src/pipeline/measure/limit-evidence.ts";
import { EvidenceBudget } from "../../../src/pipeline/watch/evidence-budget.ts";
import { emits, makeWorld } from "../world.ts";

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("a call with large arguments is stored with limited evidence that names what was cut", async () => {
  const world = await makeWorld();
  const target = await world.watch({ target_type: "tx_rate" });
  const [contract] = (await world.owner.client.get("/contracts")).body as { id: string }[];
  const abi = parseAbi(["function store(uint256 id, bytes[] blobs, string note)"]);
  await world.owner.client.patch(`/contracts/${contract?.id}`, { abi });
  await world.rule(target, {
    operator: "gte",
    threshold: 1,
    window_seconds: 60,
    match: { functions: [{ signature: "store(uint256 id, bytes[] blobs, string note)" }] },
  });
  await world.catchUp();
  const blobs = Array.from({ length: 40 }, () => `0x${"ab".repeat(3_000)}` as const);
  const input = encodeFunctionData({ abi, args: [7n, blobs, "\u{1F514}".repeat(20_000)] });
  world.chain.mine([{ ...emits(), input }]);
  await world.catchUp();

  const samples = await world.h.app.db.selectFrom("samples").select("evidence").execute();
  expect(samples).not.toEqual([]);
  for (const { evidence } of samples) expect(bytesOf(evidence)).toBeLessThanOrEqual(16 * 1024);
  const [event] = await world.events();
  expect(bytesOf(event?.explanation)).toBeLessThanOrEqual(64 * 1024);
  expect(event?.explanation).toMatchObject({
    decoded: { signature: "store(uint256,bytes[],string)", args: { id: "7" } },
    evidence: { cut: expect.arrayContaining(["decoded.args.blobs[0]"]) },
  });
});

test("beyond its hourly budget an organisation keeps its readings without decoded arguments, others keep theirs", () => {
  const engine = { evidence: new EvidenceBudget(200) };
  const evidence = { from: "0x12", decoded: { args: { note: "a".repeat(80) } } };
  const reading = { value: 1, tx_hash: null, position: null, evidence };
  const store = (org_id: string, time: number) => limitEvidence(engine, org_id, time, reading).evidence;
  expect(store("first", 0)).toEqual(evidence);
  expect(store("first", 10)).toEqual({ from: "0x12", cut: ["decoded"] });
  expect(store("second", 10)).toEqual(evidence);
  expect(store("first", 3_600)).toEqual(evidence);
});
