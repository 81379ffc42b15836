import { expect, test } from "vitest";
import type { Activity } from "../../chains/activity.ts";
import { bytesOfAddress, tokenProgram } from "../../chains/solana/accounts/address.ts";
import { grantsOf } from "./control-grants.ts";

const wallet = "7UVimffxr9ow1uXYxsr4LHAcV58mLzhmwaeKvJ1pjLiE";
const thief = "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ";
const system = "11111111111111111111111111111111";
const amount = Buffer.of(244, 1, 0, 0, 0, 0, 0, 0);

function block(program: string, accounts: string[], data: Buffer, is_success = true): Activity {
  const solana = { is_success, instructions: [{ program, accounts, data, position: 3 }] };
  return { calls: [{ tx_index: 0, solana }], events: [] } as unknown as Activity;
}

/** CreateAccountAllowPrefund: the lamports to add, the space and the program that gets the account. */
function creation(owner: string): Buffer {
  return Buffer.concat([Buffer.of(13, 0, 0, 0), amount, amount, bytesOfAddress(owner)]);
}

/** An instruction of the system program on an account that is derived from the wallet by a seed. */
function withSeed(kind: number, rest: Buffer): Buffer {
  const seed = Buffer.from("savings");
  return Buffer.concat([
    Buffer.of(kind, 0, 0, 0),
    bytesOfAddress(wallet),
    Buffer.of(seed.length, 0, 0, 0, 0, 0, 0, 0),
    ...[seed, rest],
  ]);
}

test.each([
  [
    "approval",
    block(tokenProgram, ["account", thief, wallet], Buffer.concat([Buffer.of(4), amount])),
    { granted: "delegate", account: "account", to: thief, amount: 500n },
  ],
  [
    "checked approval",
    block(
      tokenProgram,
      ["account", "mint", thief, wallet],
      Buffer.concat([Buffer.of(13), amount, Buffer.of(6)]),
    ),
    { granted: "delegate", account: "account", to: thief, amount: 500n, decimals: 6 },
  ],
  [
    "new owner of a token account",
    block(tokenProgram, ["account", wallet], Buffer.concat([Buffer.of(6, 2, 1), bytesOfAddress(thief)])),
    { granted: "owner", account: "account", to: thief },
  ],
  [
    "assignment of the wallet to a program",
    block(system, [wallet], Buffer.concat([Buffer.of(1, 0, 0, 0), bytesOfAddress(thief)])),
    { granted: "wallet", account: wallet, to: thief },
  ],
  [
    "creation of an account of a program over the wallet, which keeps its SOL,",
    block(system, [wallet], creation(thief)),
    { granted: "wallet", account: wallet, to: thief },
  ],
  [
    "assignment of an account with a seed to a program",
    block(system, ["account", wallet], withSeed(10, bytesOfAddress(thief))),
    { granted: "wallet", account: "account", to: thief },
  ],
  [
    "allocation with a seed to a program, if the account is the wallet,",
    block(system, [wallet, "base"], withSeed(9, Buffer.concat([amount, bytesOfAddress(thief)]))),
    { granted: "wallet", account: wallet, to: thief },
  ],
])("an %s by the wallet gives control away", (_, activity, expected) => {
  expect(grantsOf(activity, wallet)).toMatchObject([{ position: 3, ...expected }]);
  expect(grantsOf(activity, "someone else")).toEqual([]);
});

test("an account that is created and held nothing before, or for tokens, is not given away", () => {
  const { calls, ...rest } = block(system, [wallet], creation(thief));
  const created = calls.map((call) => ({
    ...call,
    solana: { ...call.solana, balances: [{ address: wallet, before: 0n, after: 9n }] },
  })) as Activity["calls"];
  expect(grantsOf({ ...rest, calls: created }, wallet)).toEqual([]);
  expect(grantsOf(block(system, [wallet], creation(tokenProgram)), wallet)).toEqual([]);
});

test("failed transactions, other instructions and data that breaks off give nothing away", () => {
  const accounts = ["account", thief, wallet];
  expect(
    grantsOf(block(tokenProgram, accounts, Buffer.concat([Buffer.of(4), amount]), false), wallet),
  ).toEqual([]);
  expect(grantsOf(block(tokenProgram, accounts, Buffer.concat([Buffer.of(3), amount])), wallet)).toEqual([]);
  const whole = Buffer.concat([Buffer.of(4), amount]);
  for (let length = 0; length < whole.length; length++)
    expect(grantsOf(block(tokenProgram, accounts, whole.subarray(0, length)), wallet)).toEqual([]);
  const assigned = [
    Buffer.concat([Buffer.of(1, 0, 0, 0), bytesOfAddress(thief)]),
    creation(thief),
    withSeed(9, Buffer.concat([amount, bytesOfAddress(thief)])),
    withSeed(10, bytesOfAddress(thief)),
  ];
  for (const data of assigned)
    for (let length = 0; length < data.length; length++)
      expect(grantsOf(block(system, [wallet, wallet], data.subarray(0, length)), wallet)).toEqual([]);
});
