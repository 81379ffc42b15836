import { parseEther } from "viem";
import { describe, expect, it } from "vitest";
import {
  activity,
  alice,
  bob,
  call,
  contract,
  emit,
  hash,
  subject,
  token,
} from "../../../test/meters/scripted-activity.ts";
import type { Activity } from "../../chains/activity.ts";
import { largeTransfer } from "./large-transfer.ts";

const transfer = "Transfer(address indexed from, address indexed to, uint256 value)";

function measure(config: unknown, parts: Partial<Activity>) {
  return (
    largeTransfer.measure?.(largeTransfer.config.parse(config), activity(parts), subject, undefined) ?? []
  );
}

describe("the large_transfer meter for tokens", () => {
  const moved = (from: string, to: string, amount: bigint, address = token) =>
    emit(transfer, [from, to, amount], { address });

  it("measures transfers into and out of the contract from the minimum amount on", () => {
    const events = [
      moved(alice, contract, 5_000_000n),
      moved(contract, bob, 9_000_000n),
      moved(contract, bob, 1_000_000n),
      moved(alice, bob, 99_000_000n),
    ];
    const readings = measure({ token, min_amount: 5, decimals: 6 }, { events });
    expect(readings.map(({ value }) => value)).toEqual([5, 9]);
    expect(readings[0]?.evidence).toMatchObject({
      token,
      from: alice,
      to: contract,
      amount: 5_000_000n,
      direction: "in",
      decoded: { name: "Transfer" },
    });
    expect(measure({ token, decimals: 6, direction: "out" }, { events }).map(({ value }) => value)).toEqual([
      9, 1,
    ]);
  });

  it("returns the token as a related address, unless the contract is the token", () => {
    const relatedAddresses = (config: unknown) =>
      largeTransfer.relatedAddresses?.(largeTransfer.config.parse(config), subject);
    expect(relatedAddresses({ token, decimals: 6 })).toEqual([token]);
    expect(relatedAddresses({ token: contract, decimals: 6 })).toEqual([]);
    expect(relatedAddresses({ decimals: 6 })).toEqual([]);
    expect(relatedAddresses({ native: true })).toEqual([]);
  });

  it("measures every transfer if the contract is the token", () => {
    const events = [moved(alice, bob, 7n, contract)];
    const [reading] = measure({ decimals: 0 }, { events });
    expect(reading).toMatchObject({ value: 7, evidence: { direction: "within" } });
  });

  it("ignores ERC-721 transfers and transfers of other tokens", () => {
    const item = emit(
      "Transfer(address indexed from, address indexed to, uint256 indexed tokenId)",
      [alice, contract, 9n],
      {
        address: token,
      },
    );
    expect(measure({ token, decimals: 0 }, { events: [item, moved(alice, contract, 1n, bob)] })).toEqual([]);
  });

  it("skips logs with malformed data", () => {
    expect(
      measure({ token, decimals: 0 }, { events: [{ ...moved(alice, contract, 1n), data: "0x" }] }),
    ).toEqual([]);
  });
});

describe("the large_transfer meter for the native currency", () => {
  it("measures the value of successful transactions", () => {
    const calls = [
      call({ value: parseEther("2.5") }),
      call({ value: parseEther("9"), receipt: { is_success: false, gas_used: 1n } }),
      call({ value: 0n }),
      call({ tx_hash: hash(2), direction: "from", from: contract, to: bob, value: parseEther("1") }),
    ];
    const readings = measure({ native: true, min_amount: 1 }, { calls });
    expect(readings.map(({ value, evidence }) => [value, evidence?.direction])).toEqual([
      [2.5, "in"],
      [1, "out"],
    ]);
  });
});

describe("the config of large_transfer", () => {
  it("requires the decimals of a token, and rejects a token combined with native", () => {
    const accepts = (config: unknown) => largeTransfer.config.safeParse(config).success;
    expect(accepts({ token })).toBe(false);
    expect(accepts({ token, native: true })).toBe(false);
    expect(accepts({ token, decimals: 6 })).toBe(true);
    expect(accepts({ native: true })).toBe(true);
    expect(accepts({ decimals: 6, min_amount: -1 })).toBe(false);
  });
});
