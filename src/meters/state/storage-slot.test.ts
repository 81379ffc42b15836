import { pad } from "viem";
import { describe, expect, it } from "vitest";
import {
  alice,
  at,
  bob,
  contract,
  failed,
  nothing,
  start,
  subject,
  timed,
  word,
} from "../../../test/meters/scripted-activity.ts";
import type { TimedReading } from "../meter.ts";
import { storageSlot } from "./storage-slot.ts";

function interpret(as: "uint" | "address" | "bytes32", result: typeof failed, previous?: TimedReading) {
  return storageSlot.interpret?.({ slot: "0x5", as }, [result], subject, at(start, previous));
}

describe("the storage_slot meter", () => {
  it.each(["5", "0x5", `0x${"5".padStart(64, "0")}`, 5])("accepts the slot %s", (slot) => {
    const config = storageSlot.config.parse({ slot });
    expect(storageSlot.reads?.(config, subject)).toEqual([
      { kind: "storage", address: contract, slot: pad("0x05", { size: 32 }) },
    ]);
  });

  it.each(["", "-1", "0x", "0xg", "1.5", "five", (2n ** 256n).toString(), `0x${"1".repeat(65)}`, 1.5])(
    "rejects the slot %s",
    (slot) => {
      expect(storageSlot.config.safeParse({ slot }).success).toBe(false);
    },
  );

  it("measures the number with as uint", () => {
    const first = interpret("uint", word(7n));
    expect(first).toMatchObject({ value: 7, evidence: { number: 7n } });
    const evidence = { state: word(8n).ok && `0x${"8".padStart(64, "0")}` };
    expect(interpret("uint", word(8n), timed(first))).toMatchObject({ value: 8, evidence });
  });

  it.each(["address", "bytes32"] as const)("measures changes with as %s", (as) => {
    const first = interpret(as, word(alice));
    expect(first).toMatchObject({ value: 0 });
    expect(interpret(as, word(alice), timed(first))).toMatchObject({ value: 0 });
    expect(interpret(as, word(bob), timed(first))).toMatchObject({ value: 1 });
  });

  it("shows the address in the slot", () => {
    expect(interpret("address", word(alice))).toMatchObject({ evidence: { address: alice } });
  });

  it("reads omitted zeros as 0, and reports a problem for more than 32 bytes", () => {
    expect(interpret("uint", nothing)).toMatchObject({ value: 0 });
    expect(interpret("uint", { ok: true, data: "0x0" })).toMatchObject({ value: 0 });
    expect(interpret("uint", { ok: true, data: `0x${"1".repeat(66)}` })).toHaveProperty("problem");
    expect(interpret("uint", failed)).toHaveProperty("problem");
  });
});
