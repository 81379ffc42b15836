import { generateKeyPairSigner, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { memoProgram } from "../cluster/programs.ts";
import { makeQuietNeighbour, type Rewrite } from "./quiet-neighbour.ts";

const world = await makeQuietNeighbour();
const { cluster, owner } = world;

test("a transaction that another address lists in a wrong slot counts in its own", async () => {
  const paid = await world.quietOne();
  world.rewrite(({ method, params }, reply) => {
    if (method !== "getSignaturesForAddress" || params[0] !== memoProgram) return reply;
    const wrong = { signature: paid.signature, slot: cluster.head, err: null };
    return { result: [wrong, ...("result" in reply ? (reply.result as object[]) : [])] };
  });
  const slot = cluster.produce([paid]);
  cluster.produce();
  await world.stepUntilCounted(paid);
  const sample = world.h.app.db.selectFrom("samples").select("height").orderBy("height", "desc");
  expect(Number((await sample.executeTakeFirstOrThrow()).height)).toBe(slot);
  world.rewrite(undefined);
});

/** The clock account, whose slot and time are those of the head. */
function clockWith(slot: number, time: number): Rewrite {
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(slot));
  data.writeBigInt64LE(BigInt(time), 32);
  return ({ method, params }, reply) =>
    method === "getAccountInfo" && String(params[0]).startsWith("SysvarC1ock")
      ? { result: { value: { data: [data.toString("base64"), "base64"] } } }
      : reply;
}

test.each([
  ["slot", Number.MAX_SAFE_INTEGER - 1, 1_700_000_100],
  ["time", 2_000, Number.MAX_SAFE_INTEGER - 1],
])("a %s far in the future is not taken for the head", async (_, slot, time) => {
  world.rewrite(clockWith(slot, time));
  await expect(world.step()).rejects.toThrow("in the future");
  world.rewrite(undefined);
  const paid = await world.quietOne();
  cluster.produce([paid]);
  await world.stepUntilCounted(paid);
});

test("an oldest slot that is above the head skips nothing", async () => {
  world.rewrite(({ method }, reply) =>
    method === "getFirstAvailableBlock" ? { result: Number.MAX_SAFE_INTEGER } : reply,
  );
  const paid = await world.quietOne();
  cluster.produce([paid]);
  cluster.produce([], { skipped: 3_000 });
  cluster.finalize();
  await world.stepUntilCounted(paid);
  world.rewrite(undefined);
});

test.each([-5, 2 ** 64, 1e30])("an account with %d lamports fails alone", async (amount) => {
  const [odd, normal] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()]);
  for (const { address } of [odd, normal]) cluster.svm.airdrop(address, lamports(3_000_000_000n));
  const watched = [odd, normal].map(({ address }) => world.watch(address, { target_type: "native_balance" }));
  const [strange, quiet] = await Promise.all(watched);
  const authority = { target_type: "solana_authority_change" };
  await owner.client.post(`/contracts/${strange?.contract_id}/targets`, authority);
  world.rewrite(({ method, params }, reply) => {
    const { value } = ("result" in reply ? reply.result : {}) as { value?: { lamports: number }[] };
    const addresses = method === "getMultipleAccounts" ? (params[0] as string[]) : [String(params[0])];
    for (const [at, account] of [value].flat().entries())
      if (addresses[at] === odd.address && account) account.lamports = amount;
    return reply;
  });
  for (let steps = 0; steps < 3; steps++) {
    cluster.produce([], { seconds: 5 });
    await world.step();
  }
  const [own] = await world.targets(quiet?.contract_id ?? "");
  expect(own).toMatchObject({ status: "ok", last_value: 3 });
  const failed = await world.targets(strange?.contract_id ?? "");
  expect(failed.map(({ status_reason }) => status_reason)).toEqual([
    expect.stringContaining("a node returned an invalid state"),
    expect.stringContaining("a node returned an invalid state"),
  ]);
  world.rewrite(undefined);
});
