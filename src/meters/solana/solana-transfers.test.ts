import { expect, test } from "vitest";
import type { Activity, Subject } from "../../chains/activity.ts";
import { chainOf } from "../../chains/index.ts";
import { solanaTransfers } from "./solana-transfers.ts";

const subject = { chain: chainOf("solana"), address: "account" } as unknown as Subject;
const filter = { token: "mint", native: false, direction: "any", min_amount: 0 } as const;

/** The readings of a token account that is monitored itself, in a transaction that changed balances. */
function transfersOf(changes: [account: string, owner: string, before: bigint, after: bigint][]) {
  const token_balances = changes.map(([account, owner, before, after]) => ({
    ...{ account, owner, before, after, mint: "mint", decimals: 0 },
  }));
  const call = { tx_hash: "tx", tx_index: 0, from: "thief", solana: { is_success: true, token_balances } };
  const readings = solanaTransfers(filter, { calls: [call] } as unknown as Activity, subject);
  return readings.map(({ value, evidence }) => [value, evidence?.direction, evidence?.from, evidence?.to]);
}

test("giving a monitored token account to another owner counts as a transfer of its tokens to that owner", () => {
  expect(
    transfersOf([
      ["account", "holder", 900n, 0n],
      ["account", "thief", 0n, 900n],
    ]),
  ).toEqual([[900, "out", "account", "thief"]]);
});

test("a monitored token account that is emptied in part and then given away has sent all that it held", () => {
  expect(
    transfersOf([
      ["account", "holder", 900n, 0n],
      ["account", "thief", 0n, 300n],
      ["loot", "thief", 0n, 600n],
    ]),
  ).toEqual([[900, "out", "account", "thief"]]);
});

test("a monitored token account that keeps its owner has received or sent the difference", () => {
  expect(
    transfersOf([
      ["account", "holder", 900n, 1_000n],
      ["other", "friend", 100n, 0n],
    ]),
  ).toEqual([[100, "in", "friend", "account"]]);
});
