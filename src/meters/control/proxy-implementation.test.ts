import { keccak256, stringToHex, toHex, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import {
  activity,
  alice,
  at,
  bob,
  emit,
  failed,
  hash,
  returned,
  start,
  subject,
  timed,
  token,
  word,
} from "../../../test/meters/scripted-activity.ts";
import type { Emitted } from "../../chains/activity.ts";
import { proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import type { TimedReading } from "../meter.ts";
import { proxyImplementation } from "./proxy-implementation.ts";

const upgraded = "Upgraded(address indexed implementation)";
const adminChanged = "AdminChanged(address previousAdmin, address newAdmin)";

/** The results of the six slot reads: the EIP-1967 slots as given, the older ones empty. */
function slots(implementation: string, admin: string = zeroAddress, beacon: string = zeroAddress) {
  return [implementation, admin, beacon, zeroAddress, zeroAddress, zeroAddress].map((address) =>
    word(address),
  );
}

function poll(results: ReturnType<typeof slots>, previous?: TimedReading, config = {}) {
  return proxyImplementation.interpret?.(config, results, subject, at(start, previous));
}

function measure(events: Emitted[], previous?: TimedReading, config = {}) {
  return proxyImplementation.measure?.(config, activity({ events }), subject, previous) ?? [];
}

describe("the slots of a proxy", () => {
  it("are at the positions that the standards define", () => {
    const eip1967 = (name: string) => toHex(BigInt(keccak256(stringToHex(`eip1967.proxy.${name}`))) - 1n);
    const zos = (name: string) => keccak256(stringToHex(`org.zeppelinos.proxy.${name}`));
    expect(proxySlots.map(({ slot }) => slot)).toEqual([
      eip1967("implementation"),
      eip1967("admin"),
      eip1967("beacon"),
      keccak256(stringToHex("PROXIABLE")),
      zos("implementation"),
      zos("admin"),
    ]);
  });
});

describe("polling a proxy", () => {
  it("detects no change in the first poll or while the slots stay the same", () => {
    const first = poll(slots(alice, bob));
    expect(first).toMatchObject({
      value: 0,
      evidence: { implementation: alice, admin: bob, beacon: zeroAddress },
    });
    expect(poll(slots(alice, bob), timed(first))).toMatchObject({
      value: 0,
      evidence: { state: timed(first).evidence?.state },
    });
  });

  it.each([
    ["implementation", slots(token, bob)],
    ["admin", slots(alice, token)],
    ["beacon", slots(alice, bob, token)],
  ])("detects a change of the %s", (part, results) => {
    const first = timed(poll(slots(alice, bob)));
    const second = timed(poll(results, first));
    expect(second).toMatchObject({ value: 1, tx_hash: null, evidence: { [part]: token } });
    expect(second.evidence?.state).not.toBe(first.evidence?.state);
    expect(second.evidence).toHaveProperty(`previous_${part}`);
    expect(poll(results, second)).toMatchObject({ value: 0 });
  });

  it("reads the slots of legacy proxies", () => {
    const results = slots(zeroAddress);
    results[4] = word(alice);
    results[5] = word(bob);
    expect(poll(results)).toMatchObject({ evidence: { implementation: alice, admin: bob } });
  });

  it("reports a problem, not a change, if a slot cannot be read", () => {
    const first = timed(poll(slots(alice)));
    expect(poll([failed, ...slots(alice).slice(1)], first)).toHaveProperty("problem");
  });
});

describe("an upgrade event of a proxy", () => {
  it("is a change with its transaction, which the next poll does not repeat", () => {
    const first = timed(poll(slots(alice, bob)));
    const event = emit(upgraded, [token], { tx_hash: hash(8), position: 2 });
    const [reading, ...others] = measure([event], first);
    expect(others).toEqual([]);
    expect(reading).toMatchObject({
      value: 1,
      tx_hash: hash(8),
      position: 2,
      evidence: {
        implementation: token,
        admin: bob,
        previous_implementation: alice,
        decoded: { name: "Upgraded" },
      },
    });
    const next = timed(poll(slots(token, bob), timed(reading)));
    expect(next.value).toBe(0);
    expect(next.evidence?.state).toBe(reading?.evidence?.state);
  });

  it("counts once per change in a block, but not if the implementation stays the same", () => {
    const first = timed(poll(slots(alice, bob)));
    const events = [
      emit(upgraded, [token], { log_index: 1 }),
      emit(adminChanged, [bob, alice], { log_index: 2 }),
      emit(upgraded, [token], { log_index: 3 }),
    ];
    expect(measure(events, first).map(({ value }) => value)).toEqual([1, 1, 0]);
  });

  it("is a change without an earlier state; learning the other parts later is not", () => {
    const [reading] = measure([emit(upgraded, [token])]);
    expect(reading?.value).toBe(1);
    const next = timed(poll(slots(token, bob), timed(reading)));
    expect(next).toMatchObject({ value: 0, evidence: { admin: bob, state: reading?.evidence?.state } });
    expect(poll(slots(alice, bob), next)).toMatchObject({ value: 1 });
    expect(measure([emit(adminChanged, [bob, alice])], timed(reading))[0]?.value).toBe(1);
  });

  it("is decoded from topics or data, and ignored without an argument", () => {
    const first = timed(poll(slots(alice)));
    expect(measure([emit("Upgraded(address implementation)", [token])], first)[0]?.value).toBe(1);
    const broken = { ...emit(upgraded, [token]), topics: emit(upgraded, [token]).topics.slice(0, 1) };
    expect(measure([broken], first)).toEqual([]);
    expect(measure([emit(upgraded, [token], { address: bob })], first)).toEqual([]);
  });

  it("and a poll compare with a reading loaded from the store", () => {
    const stored = JSON.parse(JSON.stringify(poll(slots(alice, bob))));
    expect(poll(slots(alice, bob), timed(stored))).toMatchObject({ value: 0 });
    expect(poll(slots(token, bob), timed(stored))).toMatchObject({ value: 1 });
  });
});

describe("a beacon proxy with a known beacon", () => {
  const config = { beacon: bob };
  const state = (implementation: string) => [
    ...slots(zeroAddress, zeroAddress, bob),
    returned("address", implementation),
  ];

  it("is changed if the implementation of the beacon changes", () => {
    expect(proxyImplementation.relatedAddresses?.(config, subject)).toEqual([bob]);
    expect(proxyImplementation.reads?.(config, subject)).toHaveLength(7);
    const first = timed(poll(state(alice), undefined, config));
    expect(first.evidence).toMatchObject({ implementation: alice, beacon: bob });
    expect(poll(state(token), first, config)).toMatchObject({ value: 1 });
    const [reading] = measure([emit(upgraded, [token], { address: bob })], first, config);
    expect(reading?.value).toBe(1);
    expect(poll(state(token), timed(reading), config)).toMatchObject({ value: 0 });
  });

  it("reads the beacon of the subject without config, and learning its implementation is not a change", () => {
    const on = { ...subject, beacon: bob };
    expect(proxyImplementation.relatedAddresses?.({}, on)).toEqual([bob]);
    expect(proxyImplementation.reads?.({}, on)).toHaveLength(7);
    const pollBeacon = (results: ReturnType<typeof state>, previous?: TimedReading) =>
      proxyImplementation.interpret?.({}, results, on, at(start, previous));
    const withoutBeacon = timed(poll(slots(zeroAddress, zeroAddress, bob)));
    expect(withoutBeacon.evidence).not.toHaveProperty("implementation");
    const first = timed(pollBeacon(state(alice), withoutBeacon));
    expect(first).toMatchObject({ value: 0, evidence: { implementation: alice } });
    expect(pollBeacon(state(token), first)).toMatchObject({ value: 1 });
    const events = [emit(upgraded, [token], { address: bob })];
    expect(proxyImplementation.measure?.({}, activity({ events }), on, first)).toMatchObject([{ value: 1 }]);
  });

  it("processes the events of proxy and beacon in log order", () => {
    const first = timed(poll(state(alice), undefined, config));
    const events = [
      emit(upgraded, [token], { address: bob, log_index: 9 }),
      emit("BeaconUpgraded(address indexed beacon)", [token], { log_index: 4 }),
    ];
    expect(measure(events, first, config).map(({ log_index }) => log_index)).toEqual([4, 9]);
  });
});
