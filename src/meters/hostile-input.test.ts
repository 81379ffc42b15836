import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases, subjectOf } from "../../test/meters/meter-cases.ts";
import {
  activity,
  alice,
  at,
  call,
  contract,
  hash,
  start,
  token,
} from "../../test/meters/scripted-activity.ts";
import type { Emitted } from "../chains/activity.ts";
import type { Hex, ReadResult } from "../chains/block.ts";
import type { Meter, Reading, TimedReading } from "./meter.ts";

const numRuns = process.env.TEST_LONG ? 5_000 : 60;

/** Words of honest and hostile contracts: small, huge and negative numbers, offsets, addresses. */
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
  {
    weight: 1,
    arbitrary: fc.string().map((problem) => ({ ok: false as const, code: "reverted" as const, problem })),
  },
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

function expectValidReading(reading: Reading): void {
  expect(Number.isFinite(reading.value)).toBe(true);
  // The store keeps these fields beside the evidence, not in it.
  for (const name of ["tx_hash", "position", "log_index"]) expect(reading.evidence).not.toHaveProperty(name);
}

describe("hostile state", () => {
  it.each(cases.filter(({ meter }) => meter.interpret))(
    "does not break $type $input",
    ({ meter, config }) => {
      const count = meter.reads?.(config, subjectOf(meter)).length ?? 0;
      const results = fc.oneof(
        fc.array(hostileResult, { minLength: count, maxLength: count }),
        fc.array(hostileResult, { maxLength: count + 1 }),
      );
      fc.assert(
        fc.property(results, fc.option(hostileEvidence), (given, evidence) => {
          const previous = evidence ? previousWith(evidence) : undefined;
          const reading = meter.interpret?.(config, given, subjectOf(meter), at(start, previous));
          if (reading && !("problem" in reading)) expectValidReading(reading);
        }),
        { numRuns },
      );
    },
  );
});

describe("hostile activity", () => {
  /** Topics of events that meters decode. */
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

  it.each(cases.filter(({ meter }) => meter.measure))("does not break $type $input", ({ meter, config }) => {
    fc.assert(
      fc.property(events, calls, fc.option(hostileEvidence), (givenEvents, givenCalls, evidence) => {
        const previous = evidence ? previousWith(evidence) : undefined;
        const given = activity({ events: givenEvents, calls: givenCalls });
        for (const reading of measureAll(meter, config, given, previous)) expectValidReading(reading);
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
