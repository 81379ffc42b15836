import { describe, expect, it } from "vitest";
import { hash, subject } from "../../../test/meters/scripted-activity.ts";
import type { ReadResult } from "../../chains/block.ts";
import { meterOf } from "../../meters/index.ts";
import type { Meter, TimedReading } from "../../meters/meter.ts";
import type { WatchedTarget } from "../watch/watch-list.ts";
import { UnchangedState } from "./unchanged-state.ts";

const storageSlot = meterOf("storage_slot") as Meter;

describe("the state of a target", () => {
  it("is decoded until two polls return the same, and not again while it stays so", () => {
    const { poll, decoded } = scriptedPolls();
    for (const slot of [1n, 1n, 1n, 1n]) poll(slot);
    expect(decoded).toEqual([1n, 1n]);
  });

  it("is decoded again when it changes, and shows what it was before", () => {
    const { poll, decoded } = scriptedPolls();
    for (const slot of [1n, 1n, 1n]) poll(slot);
    expect(poll(2n)).toMatchObject({ value: 2, evidence: { state: hash(2), previous_state: hash(1) } });
    expect(poll(2n).evidence).not.toHaveProperty("previous_state");
    expect(decoded).toEqual([1n, 1n, 2n, 2n]);
  });

  it("is decoded again after a reorganisation that replaced the reading before", () => {
    const { poll, readings } = scriptedPolls();
    for (const slot of [1n, 2n, 2n, 2n]) poll(slot);
    readings.splice(1);
    expect(poll(2n)).toMatchObject({ value: 2, evidence: { state: hash(2), previous_state: hash(1) } });
  });

  it("is decoded again when the contract has another interface", () => {
    const { poll, decoded, target } = scriptedPolls();
    for (const slot of [1n, 1n, 1n]) poll(slot);
    target.contract.subject = { ...subject };
    poll(1n);
    expect(decoded).toEqual([1n, 1n, 1n]);
  });

  it("shares the evidence of equal readings", () => {
    const { poll, readings } = scriptedPolls();
    for (const slot of [1n, 1n, 1n]) poll(slot);
    expect(new Set(readings.map(({ evidence }) => evidence)).size).toBe(1);
  });
});

/** Polls of a storage slot, each a block after the one before, with the values that were decoded. */
function scriptedPolls() {
  const decoded: bigint[] = [];
  const readings: TimedReading[] = [];
  const state = new UnchangedState();
  const target = slotTarget(({ data }) => decoded.push(BigInt(data)));
  const poll = (slot: bigint) => {
    const height = readings.length + 1;
    const context = { time: 100 * height, height, previous: readings.at(-1) };
    const results: ReadResult[] = [{ ok: true, data: `0x${slot.toString(16).padStart(64, "0")}` }];
    const reading = state.interpret(target, results, context);
    if (!reading || "problem" in reading) throw new Error(reading?.problem);
    readings.push({ ...reading, time: context.time, height });
    return reading;
  };
  return { poll, decoded, readings, target };
}

function slotTarget(onDecode: (result: { data: string }) => void): WatchedTarget {
  const meter: Meter = {
    ...storageSlot,
    interpret(config, results, ...rest) {
      if (results[0]?.ok) onDecode(results[0]);
      return storageSlot.interpret?.(config, results, ...rest) ?? { problem: "None." };
    },
  };
  const contract: WatchedTarget["contract"] = {
    ...{ id: "contract", org_id: "org", label: "Vault", subject, pollingSeconds: 15, code: undefined },
    ...{ suspended: new Set<string>(), resuming: new Map<string, number>(), targets: [] },
  };
  const config = meter.config.parse({ slot: "5", as: "uint" });
  return {
    ...{ id: "target", generation: 1, series_id: "series", contract, target_type: meter.type, meter, config },
    ...{ rules: [], observers: [] },
  };
}
