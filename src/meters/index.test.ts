import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  activity,
  alice,
  at,
  call,
  contract,
  failed,
  hash,
  solanaSubject,
  start,
  subject,
  token,
} from "../../test/meters/scripted-activity.ts";
import type { Emitted, Subject } from "../chains/activity.ts";
import type { Hex, ReadResult } from "../chains/block.ts";
import { meterOf, meters } from "./index.ts";
import type { Meter, Reading, TimedReading } from "./meter.ts";

/** What the product measures, in the order in which it lists it, and which of it a contract may have many of. */
const promised = [
  "tx_rate",
  "revert_rate",
  "unique_callers",
  "event_frequency *",
  "event_value *",
  "function_call_rate *",
  "inactivity",
  "native_balance",
  "token_balance *",
  "token_supply",
  "large_transfer *",
  "gas_usage",
  "view_function *",
  "storage_slot *",
  "proxy_implementation",
  "ownership_change",
  "pause_state",
  "oracle_price",
  "oracle_deviation",
  "oracle_staleness",
  "tvl",
  "utilization",
  "pool_imbalance",
  "bridge_config",
  "governance_proposal",
  "timelock_delay",
  "anomaly_detection *",
  "solana_instruction *",
  "solana_event *",
  "solana_program_upgrade",
  "solana_authority_change",
];

/** What is measured on Solana too; the rest of what is not named after it is measured on EVM chains only. */
const onBoth = [
  "tx_rate",
  "revert_rate",
  "unique_callers",
  "inactivity",
  "native_balance",
  "token_balance",
  "token_supply",
  "large_transfer",
  "tvl",
  "anomaly_detection",
];

/** Configs of what needs one; everything else works without. */
const configs: Record<string, Record<string, unknown>[]> = {
  event_frequency: [{ event_signature: "Transfer(address,address,uint256)", filter: "value > 5" }],
  event_value: [{ event_signature: "Transfer(address,address,uint256)", arg: "value" }],
  function_call_rate: [{ function_signature: "transfer(address,uint256)", filter: "$1 > 5" }],
  token_balance: [{ token }, { token, holder: alice, decimals: 6 }],
  large_transfer: [{ decimals: 6 }, { token, decimals: 6 }, { native: true }],
  view_function: [
    { signature: "f()(uint256)", decimals: 18 },
    { signature: "f(address)(string,uint256[])", args: [alice], output_index: 1 },
  ],
  storage_slot: [{ slot: "5" }, { slot: "0x5", as: "address" }],
  proxy_implementation: [{}, { beacon: alice }],
  oracle_deviation: [{ reference_value: 1 }, { reference_feed: alice }],
  tvl: [
    {
      tokens: [
        { token: "native", price: 3 },
        { token, price_feed: alice },
      ],
    },
  ],
  utilization: [
    { preset: "compound_v3" },
    { preset: "aave_v3", asset: token, data_provider: alice },
    { borrow_function: "totalBorrow()", supply_function: "totalSupply()" },
  ],
  pool_imbalance: [
    { pool_kind: "uniswap_v2", decimals: [6, 18] },
    { pool_kind: "curve", coins: 3 },
    { pool_kind: "balancer", pool_id: hash(1) },
  ],
  bridge_config: [{ eids: [30101, 30110] }],
  solana_instruction: [{ name: "transfer", filter: "amount > 5" }, { discriminator: "0xA9059CBB" }],
  solana_event: [{ event_name: "Transfer" }, { event_name: "text", match: "log" }],
};

function familiesOf(type: string): string[] {
  if (type.startsWith("solana_")) return ["solana"];
  return onBoth.includes(type) ? ["evm", "solana"] : ["evm"];
}

function subjectOf(meter: Meter): Subject {
  return meter.families.includes("evm") ? subject : solanaSubject;
}

const cases = meters.flatMap((meter) =>
  (configs[meter.type] ?? [{}]).map((input) => ({
    type: meter.type,
    meter,
    config: meter.config.parse(input),
    input,
  })),
);

describe("the meters", () => {
  it("are those that the product promises, each once", () => {
    const listed = meters.map(({ type, instances }) => (instances === "many" ? `${type} *` : type));
    expect(listed).toEqual(promised);
    for (const meter of meters) expect(meterOf(meter.type)).toBe(meter);
    expect(meterOf("constructor")).toBeUndefined();
  });

  it.each(cases)("$type describes itself and every field of its config", ({ meter }) => {
    expect(meter.families).toEqual(familiesOf(meter.type));
    for (const text of [meter.title, meter.about, meter.unit]) expect(text).not.toBe("");
    expect(meter.about).toMatch(/\.$/);
    for (const field of Object.values(meter.config.shape))
      expect(z.toJSONSchema(field)).toHaveProperty("description");
  });

  it.each(cases)(
    "$type accepts its config again as it was stored, and no unknown field",
    ({ meter, config }) => {
      expect(meter.config.parse(JSON.parse(JSON.stringify(config)))).toEqual(config);
      expect(meter.config.safeParse({ ...config, surplus: 1 }).success).toBe(false);
    },
  );

  it.each(cases)("$type asks for what it needs", ({ meter, config }) => {
    expect(meter.needs.includes("state")).toBe(meter.reads !== undefined);
    expect(meter.interpret !== undefined).toBe(meter.reads !== undefined);
    expect(meter.needs.some((need) => need !== "state")).toBe(meter.measure !== undefined);
    if (meter.reads) expect(meter.reads(config, subjectOf(meter)).length).toBeGreaterThan(0);
  });

  it.each(cases)("$type measures nothing where nothing happened", ({ meter, config }) => {
    expect(meter.measure?.(config, activity(), subjectOf(meter), undefined) ?? []).toEqual([]);
    expect(meter.summarise?.(config, []) ?? null).toBe(meter.type === "unique_callers" ? 0 : null);
  });

  it.each(cases)("$type says what is wrong when nothing can be read", ({ meter, config }) => {
    if (!meter.interpret) return;
    const results = (meter.reads?.(config, subjectOf(meter)) ?? []).map(() => failed);
    for (const given of [results, []]) {
      const reading = meter.interpret(config, given, subjectOf(meter), at(start));
      expect(reading).toEqual({ problem: expect.stringMatching(/^[A-Z\w].+\.$/) });
    }
  });
});

const numRuns = process.env.LONG ? 5_000 : 60;

/** Words that contracts and liars return: small, huge, negative, offsets, addresses. */
const hostileWord = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  fc.constantFrom(0n, 1n, 5n, 32n, 64n, 96n, 255n, 2n ** 255n, 2n ** 256n - 1n, BigInt(start)),
);
const hostileData: fc.Arbitrary<Hex> = fc.oneof(
  fc
    .array(hostileWord, { maxLength: 14 })
    .map((words) => hexOf(words.map((word) => word.toString(16).padStart(64, "0")))),
  fc.uint8Array({ maxLength: 100 }).map((bytes) => hexOf([Buffer.from(bytes).toString("hex")])),
  fc.constantFrom<Hex[]>("0x", "0x0", "0x1", "0xzz", `0x${"f".repeat(4000)}`),
);
const hostileResult: fc.Arbitrary<ReadResult> = fc.oneof(
  { weight: 5, arbitrary: hostileData.map((data) => ({ ok: true as const, data })) },
  { weight: 1, arbitrary: fc.string().map((problem) => ({ ok: false as const, problem })) },
);
const hostileEvidence = fc.dictionary(
  fc.constantFrom("state", "last_activity", "implementation", "admin", "beacon", "tx_hash"),
  fc.oneof(fc.string(), fc.double(), fc.constantFrom(null, "", alice), fc.array(fc.string())),
);

function hexOf(parts: string[]): Hex {
  return `0x${parts.join("")}`;
}

function previousWith(evidence: Record<string, unknown>): TimedReading {
  return { value: 1, tx_hash: null, position: null, height: 1, time: start - 60, evidence };
}

function expectSound(reading: Reading): void {
  expect(Number.isFinite(reading.value)).toBe(true);
  // The store keeps the coordinates of a reading beside its evidence.
  for (const name of ["tx_hash", "position", "log_index"]) expect(reading.evidence).not.toHaveProperty(name);
}

describe("state that lies", () => {
  it.each(cases.filter(({ meter }) => meter.interpret))("never breaks $type $input", ({ meter, config }) => {
    const count = meter.reads?.(config, subjectOf(meter)).length ?? 0;
    const results = fc.oneof(
      fc.array(hostileResult, { minLength: count, maxLength: count }),
      fc.array(hostileResult, { maxLength: count + 1 }),
    );
    fc.assert(
      fc.property(results, fc.option(hostileEvidence), (given, evidence) => {
        const previous = evidence ? previousWith(evidence) : undefined;
        const reading = meter.interpret?.(config, given, subjectOf(meter), at(start, previous));
        if (reading && !("problem" in reading)) expectSound(reading);
      }),
      { numRuns },
    );
  });
});

describe("activity that lies", () => {
  /** Topics that meters look for, so that what follows them is read. */
  const topics = [
    "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
    "0xbc7cd75a20ee27fd9adebab32041f755214dbc6bffa90cc0225b39da2e5c2d3b",
    "0x7e644d79422f17c01e4894b5f4f588d331ebfa28653d42ae832dc59e38c9798f",
    "0x8be0079c531659141344cd1fd0a4f28419497f9722a3daafe3b4186f6b6457e0",
    "0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258",
    "0x7d84a6263ae0d98d3329bd7b46bb4e8d6f98cd35a7adb45c274c8b7fd5ebd5e0",
    "0x4cf4410cc57040e44862ef0f45f3dd5a5e02db8eb8add648d4b0e236f1d07dca",
  ] as const;
  const events: fc.Arbitrary<Emitted[]> = fc.array(
    fc
      .record({
        address: fc.constantFrom(contract, token, alice),
        topic0: fc.constantFrom<Hex[]>(...topics, "0x"),
        others: fc.array(
          fc.oneof(
            hostileWord.map((word) => hexOf([word.toString(16).padStart(64, "0")])),
            hostileData,
          ),
          {
            maxLength: 3,
          },
        ),
        data: hostileData,
        log_index: fc.nat(1000),
      })
      .map(({ topic0, others, ...log }) => ({
        ...log,
        topics: [topic0, ...others],
        tx_hash: hash(1),
        tx_index: 0,
        position: log.log_index,
        decoded: undefined,
      })),
    { maxLength: 6 },
  );
  const calls = fc.array(
    fc
      .record({
        input: hostileData.map((data) => hexOf(["a9059cbb", data.slice(2)])),
        value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
        direction: fc.constantFrom("to" as const, "from" as const),
        receipt: fc.option(
          fc.record({ is_success: fc.boolean(), gas_used: fc.bigInt({ min: 0n, max: 2n ** 300n }) }),
        ),
      })
      .map(call),
    { maxLength: 4 },
  );

  it.each(cases.filter(({ meter }) => meter.measure))("never breaks $type $input", ({ meter, config }) => {
    fc.assert(
      fc.property(events, calls, fc.option(hostileEvidence), (givenEvents, givenCalls, evidence) => {
        const previous = evidence ? previousWith(evidence) : undefined;
        const given = activity({ events: givenEvents, calls: givenCalls });
        for (const reading of measureAll(meter, config, given, previous)) expectSound(reading);
      }),
      { numRuns },
    );
  });
});

function measureAll(
  meter: Meter,
  config: Record<string, unknown>,
  given: ReturnType<typeof activity>,
  previous: TimedReading | undefined,
): Reading[] {
  return meter.measure?.(config, given, subjectOf(meter), previous) ?? [];
}
