import { expect, test } from "vitest";
import { makePause } from "../../lib/concurrency/pauses.ts";
import { runHere } from "../../lib/concurrency/worker-pool.ts";
import type { Block } from "../block.ts";
import { givenInterface } from "../decoding/stored-interfaces.ts";
import { chainOf } from "../index.ts";
import { tokenProgram } from "./accounts/address.ts";
import { decodeSolanaBlock } from "./decode-block.ts";
import { compileSolanaSubject } from "./subject.ts";

const idlWith = (name: string) => ({
  address: tokenProgram,
  metadata: { name: "vault", version: "0.1.0", spec: "0.1.0" },
  instructions: [{ name: "pay", discriminator: [1], accounts: [], args: [{ name, type: "u8" }] }],
  events: [{ name: "Paid", discriminator: [2] }],
  types: [{ name: "Paid", type: { kind: "struct", fields: [{ name, type: "u8" }] } }],
});

async function watch(abi: unknown) {
  const chain = chainOf("solana") ?? expect.fail("solana is missing");
  const stored = {
    chain,
    address: tokenProgram,
    abi: givenInterface(abi),
    implementation_abi: null,
    code: null,
  };
  return { subject: await compileSolanaSubject(stored, runHere), code: undefined };
}

test("organisations with the same IDL share what is decoded, and one with another IDL is decoded by its own", async () => {
  const contracts = await Promise.all([idlWith("amount"), idlWith("amount"), idlWith("sum")].map(watch));
  const solana = {
    fee_payer: "payer",
    accounts: ["payer", tokenProgram],
    is_success: true,
    instructions: [
      { program: tokenProgram, accounts: [], data: Buffer.from([1, 7]), depth: 1, caller: null },
    ],
    lines: [{ program: tokenProgram, kind: "data", text: Buffer.from([2, 9]).toString("base64") }],
  };
  const block = {
    height: 1,
    time: 1,
    transactions: [{ hash: "a", index: 0, from: "payer", solana }],
    logs: [],
  };
  const at = (address: string) => (address === tokenProgram ? contracts : []);
  const monitored = { at, on: () => [], needsTraces: () => false };
  const activities = await decodeSolanaBlock(block as unknown as Block, monitored, makePause());
  const [first, second, other] = contracts.map((contract) => {
    const activity = activities.get(contract);
    return { call: activity?.calls[0]?.called?.[0], event: activity?.events[0]?.decoded };
  });
  expect(second?.call).toBe(first?.call);
  expect(second?.event).toBe(first?.event);
  expect(first).toMatchObject({ call: { args: { amount: 7n } }, event: { args: { amount: 9n } } });
  expect(other).toMatchObject({ call: { args: { sum: 7n } }, event: { args: { sum: 9n } } });
});
