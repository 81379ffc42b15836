import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cases, subjectOf } from "../../test/meters/meter-cases.ts";
import { activity, at, failed, start } from "../../test/meters/scripted-activity.ts";
import type { ReadResult } from "../chains/block.ts";
import { meterOf, meters } from "./index.ts";
import type { Meter, TimedReading } from "./meter.ts";

/** Every target type in catalogue order; * marks the types that a contract may have many of. */
const targetTypes = [
  "tx_rate",
  "revert_rate",
  "unique_callers",
  "event_frequency *",
  "event_value *",
  "function_call_rate *",
  "inactivity",
  "activity_rhythm",
  "native_balance",
  "token_balance *",
  "token_supply",
  "large_transfer *",
  "gas_usage",
  "view_function *",
  "storage_slot *",
  "proxy_implementation",
  "ownership_change",
  "configuration_change",
  "rare_event",
  "pause_state",
  "oracle_price",
  "oracle_deviation",
  "oracle_staleness",
  "tvl",
  "utilization",
  "pool_imbalance",
  "pool_price",
  "bridge_config",
  "governance_proposal",
  "timelock_delay",
  "anomaly_detection *",
  "solana_instruction *",
  "solana_event *",
  "solana_program_upgrade",
  "solana_authority_change",
  "solana_delegation",
  "solana_priority_fee",
  "account_field *",
];

/**
 * Target types of both chain families. Types with the prefix solana_ and account_field are for Solana only, all others for EVM
 * only.
 */
const onBoth = [
  "tx_rate",
  "revert_rate",
  "unique_callers",
  "inactivity",
  "activity_rhythm",
  "native_balance",
  "token_balance",
  "token_supply",
  "large_transfer",
  "gas_usage",
  "oracle_price",
  "oracle_deviation",
  "oracle_staleness",
  "tvl",
  "anomaly_detection",
];

describe("the meter catalogue", () => {
  it("has each target type once", () => {
    const listed = meters.map(({ type, instances }) => (instances === "many" ? `${type} *` : type));
    expect(listed).toEqual(targetTypes);
    for (const meter of meters) expect(meterOf(meter.type)).toBe(meter);
    expect(meterOf("constructor")).toBeUndefined();
  });

  it.each(cases)("$type has a description of itself and of every config field", ({ meter }) => {
    expect(meter.families).toEqual(familiesOf(meter.type));
    for (const text of [meter.title, meter.about, meter.unit]) expect(text).not.toBe("");
    expect(meter.about).toMatch(/\.$/);
    for (const field of Object.values(meter.config.shape))
      expect(z.toJSONSchema(field)).toHaveProperty("description");
  });

  it.each(cases)("$type accepts its stored config, and rejects unknown fields", ({ meter, config }) => {
    expect(meter.config.parse(JSON.parse(JSON.stringify(config)))).toEqual(config);
    expect(meter.config.safeParse({ ...config, surplus: 1 }).success).toBe(false);
  });

  it.each(cases)("$type has a valid example", ({ meter }) => {
    const parsed = meter.config.safeParse(meter.example ?? {});
    expect(parsed.error).toBeUndefined();
    for (const kind of meter.families.slice(0, 1))
      expect(meter.configProblem?.(parsed.data ?? {}, kind)).toBeUndefined();
  });

  it.each(cases)("$type implements the functions of its needs", ({ meter, config }) => {
    expect(meter.needs.includes("state")).toBe(meter.reads !== undefined);
    expect(meter.interpret !== undefined).toBe(meter.reads !== undefined);
    expect(meter.needs.some((need) => need !== "state")).toBe(meter.measure !== undefined);
    if (meter.reads) expect(meter.reads(config, subjectOf(meter)).length).toBeGreaterThan(0);
  });

  it.each(cases)("$type has no readings without activity", ({ meter, config }) => {
    expect(meter.measure?.(config, activity(), subjectOf(meter), undefined) ?? []).toEqual([]);
    expect(meter.summarise?.(config, []) ?? null).toBe(meter.type === "unique_callers" ? 0 : null);
  });

  it.each(cases)(
    "$type gives equal readings of equal state at any time, or says that it does not",
    ({ meter, config }) => {
      const results = plausibleResults(meter, config);
      const interpret = (time: number, previous?: TimedReading) =>
        meter.interpret?.(config, results, subjectOf(meter), at(time, previous));
      const first = interpret(start);
      if (!first || "problem" in first) return;
      const previous = { ...first, time: start, height: 1 };
      const readings = [15, 3_600, 200_000].map((seconds) => interpret(start + seconds, previous));
      const [reference] = readings;
      const isSame = readings.every((reading) => isDeepStrictEqual(reading, reference));
      expect(isSame || meter.dependsOnTime).toBe(true);
    },
  );

  it.each(cases)("$type reports a problem if nothing can be read", ({ meter, config }) => {
    if (!meter.interpret) return;
    const results = (meter.reads?.(config, subjectOf(meter)) ?? []).map(() => failed);
    for (const given of [results, []]) {
      const reading = meter.interpret(config, given, subjectOf(meter), at(start));
      expect(reading).toEqual({ problem: expect.stringMatching(/^[A-Z\w].+\.$/) });
    }
  });
});

/** Small numbers and a recent time, which most functions may return. */
function plausibleResults(meter: Meter, config: Record<string, unknown>): ReadResult[] {
  const reads = meter.reads?.(config, subjectOf(meter)) ?? [];
  const words = (count: number) =>
    BigInt(start - 100)
      .toString(16)
      .padStart(64, "0")
      .repeat(count);
  return reads.map((read) => ({ ok: true, data: `0x${words(read.kind === "call" ? 12 : 1)}` }));
}

function familiesOf(type: string): string[] {
  if (type.startsWith("solana_") || type === "account_field") return ["solana"];
  return onBoth.includes(type) ? ["evm", "solana"] : ["evm"];
}
