import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import { describe, expect, it } from "vitest";
import {
  alice,
  at,
  bob,
  contract,
  failed,
  hash,
  nothing,
  returned,
  start,
  subject,
  timed,
  token,
} from "../../../test/meters/scripted-activity.ts";
import type { ReadResult } from "../../chains/block.ts";
import { parseAddress } from "../../chains/evm/values/address.ts";
import { chainOf } from "../../chains/index.ts";
import type { TimedReading } from "../meter.ts";
import { bridgeConfig } from "./bridge-config.ts";
import { blockedLibrary, deployments } from "./layerzero.ts";

const library = "0xc02Ab410f0734EFa3F14628780e6e695156024C2";

type Uln = { required?: string[]; optional?: string[]; threshold?: number; confirmations?: bigint };

/** The result of `getConfig`: a struct encoded as bytes. */
function uln({ required = [], optional = [], threshold = 0, confirmations = 15n }: Uln): ReadResult {
  const shape = parseAbiParameters(
    "(uint64 confirmations, uint8 requiredCount, uint8 optionalCount, uint8 threshold, address[] required, address[] optional)",
  );
  const struct = {
    confirmations,
    requiredCount: required.length,
    optionalCount: optional.length,
    threshold,
    required: required as Hex[],
    optional: optional as Hex[],
  };
  return returned("bytes", encodeAbiParameters(shape, [struct]));
}

function route(config: ReadResult, parts: { peer?: ReadResult; library?: string } = {}): ReadResult[] {
  const peer = parts.peer ?? returned("bytes32", hash(9));
  return [peer, returned("address, bool", parts.library ?? library, false), config];
}

function interpret(eids: number[], results: ReadResult[], previous?: TimedReading) {
  return bridgeConfig.interpret?.({ eids }, results, subject, at(start, previous));
}

describe("the bridge_config meter", () => {
  it("reads the receiving side of each route", () => {
    const reads = bridgeConfig.reads?.({ eids: [30110, 30184] }, subject) ?? [];
    expect(reads).toHaveLength(6);
    expect(reads.map((read) => read.kind === "call" && read.data.slice(0, 10))).toEqual([
      "0xbb0b6a53",
      "0x402f8468",
      "0x2b3197b9",
      "0xbb0b6a53",
      "0x402f8468",
      "0x2b3197b9",
    ]);
    expect(reads[0]).toMatchObject({ to: contract });
  });

  it("measures the number of verifiers of the weakest route", () => {
    const results = [...route(uln({ required: [alice, bob] })), ...route(uln({ required: [alice] }))];
    expect(interpret([30110, 30184], results)).toMatchObject({
      value: 1,
      evidence: { weakest: { eid: 30184, required_dvns: [alice], confirmations: "15" } },
    });
  });

  it.each([
    ["required verifiers", { required: [alice, bob] }, 2],
    [
      "required verifiers and the threshold of optional ones",
      { required: [alice], optional: [bob, token], threshold: 1 },
      2,
    ],
    ["one of several optional verifiers", { optional: [alice, bob, token], threshold: 1 }, 1],
    ["a verifier in both lists only once", { required: [alice], optional: [alice], threshold: 1 }, 1],
  ])("counts %s", (_, config, value) => {
    expect(interpret([1], route(uln(config)))).toMatchObject({ value });
  });

  it("counts a route with an unknown library as 0, which is also a change", () => {
    const good = timed(interpret([1], route(uln({ required: [alice, bob] }))));
    const swapped = timed(interpret([1], route(uln({ required: [alice, bob] }), { library: bob }), good));
    expect(swapped.value).toBe(0);
    expect(swapped.evidence?.state).not.toBe(good.evidence?.state);
  });

  it("skips closed routes, and reports a problem if all are closed", () => {
    const closed = route(uln({ required: [alice] }), { peer: returned("bytes32", hash(0)) });
    const blocked = route(uln({ required: [alice] }), { library: blockedLibrary });
    const open = route(uln({ required: [alice, bob] }));
    expect(interpret([1, 2, 3], [...closed, ...open, ...blocked])).toMatchObject({ value: 2 });
    expect(interpret([1, 2], [...closed, ...blocked])).toHaveProperty("problem");
  });

  it("treats a route as open if the app has no peers()", () => {
    expect(interpret([1], route(uln({ required: [alice] }), { peer: failed }))).toMatchObject({ value: 1 });
    expect(interpret([1], route(uln({ required: [alice] }), { peer: nothing }))).toMatchObject({ value: 1 });
  });

  it("keeps its state while nothing changes, and stores all routes after a change", () => {
    const first = timed(interpret([1], route(uln({ required: [alice, bob] }))));
    expect(first.evidence).toHaveProperty("routes");
    const same = timed(interpret([1], route(uln({ required: [alice, bob] })), first));
    expect(same.evidence?.state).toBe(first.evidence?.state);
    expect(same.evidence).not.toHaveProperty("routes");
    const fewer = timed(interpret([1], route(uln({ required: [alice, bob], confirmations: 1n })), same));
    expect(fewer.evidence?.state).not.toBe(first.evidence?.state);
    expect(fewer.evidence).toHaveProperty("routes");
  });

  it.each([
    ["no library", [returned("bytes32", hash(9)), failed, failed]],
    ["no config", route(failed)],
    ["an empty config", route(returned("bytes", "0x"))],
    ["a broken config", route(returned("bytes", "0x1234"))],
    ["no results", []],
  ])("reports a problem for %s, never a safe value", (_, results) => {
    expect(interpret([1], results)).toHaveProperty("problem");
  });

  it("requires the contract addresses on chains without a known deployment", () => {
    const chain = { ...subject.chain, chain: "local", name: "Local" };
    const config = bridgeConfig.config.parse({ eids: [1] });
    expect(bridgeConfig.reads?.(config, { ...subject, chain })).toEqual([]);
    const reading = bridgeConfig.interpret?.(config, [], { ...subject, chain }, at(start));
    expect(reading).toMatchObject({ problem: expect.stringContaining("receive_library") });
    const overrides = { ...config, endpoint: alice, receive_library: bob };
    expect(bridgeConfig.reads?.(overrides, { ...subject, chain })).toHaveLength(3);
  });
});

describe("the known LayerZero deployments", () => {
  it("are on supported chains, with checksummed addresses", () => {
    for (const [chain, { endpoint, receive_library }] of deployments) {
      expect(chainOf(chain)?.chain).toBe(chain);
      expect([parseAddress(endpoint), parseAddress(receive_library)]).toEqual([endpoint, receive_library]);
    }
    expect(parseAddress(blockedLibrary)).toBe(blockedLibrary);
  });
});
