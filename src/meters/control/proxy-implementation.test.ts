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

/** What the six slots hold: the three of the standard, and nothing in the older ones. */
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
  it("are where the standards say", () => {
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

describe("a proxy that is polled", () => {
  it("has not changed at first, nor while its slots stay the same", () => {
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
  ])("has changed when its %s has", (part, results) => {
    const first = timed(poll(slots(alice, bob)));
    const second = timed(poll(results, first));
    expect(second).toMatchObject({ value: 1, tx_hash: null, evidence: { [part]: token } });
    expect(second.evidence?.state).not.toBe(first.evidence?.state);
    expect(second.evidence).toHaveProperty(`previous_${part}`);
    expect(poll(results, second)).toMatchObject({ value: 0 });
  });

  it("is found in the slots of older proxies too", () => {
    const results = slots(zeroAddress);
    results[4] = word(alice);
    results[5] = word(bob);
    expect(poll(results)).toMatchObject({ evidence: { implementation: alice, admin: bob } });
  });

  it("is a problem when a slot cannot be read, and no change", () => {
    const first = timed(poll(slots(alice)));
    expect(poll([failed, ...slots(alice).slice(1)], first)).toHaveProperty("problem");
  });
});

describe("a proxy that tells of its upgrade", () => {
  it("has changed in that block, with the transaction, and not again at the next poll", () => {
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

  it("counts each of several changes in a block, and not an upgrade to the same code", () => {
    const first = timed(poll(slots(alice, bob)));
    const events = [
      emit(upgraded, [token], { log_index: 1 }),
      emit(adminChanged, [bob, alice], { log_index: 2 }),
      emit(upgraded, [token], { log_index: 3 }),
    ];
    expect(measure(events, first).map(({ value }) => value)).toEqual([1, 1, 0]);
  });

  it("has changed although nothing was known, and learning the rest is no change", () => {
    const [reading] = measure([emit(upgraded, [token])]);
    expect(reading?.value).toBe(1);
    const next = timed(poll(slots(token, bob), timed(reading)));
    expect(next).toMatchObject({ value: 0, evidence: { admin: bob, state: reading?.evidence?.state } });
    expect(poll(slots(alice, bob), next)).toMatchObject({ value: 1 });
    expect(measure([emit(adminChanged, [bob, alice])], timed(reading))[0]?.value).toBe(1);
  });

  it("may leave the argument out of the topics, and is ignored when it leaves it out altogether", () => {
    const first = timed(poll(slots(alice)));
    expect(measure([emit("Upgraded(address implementation)", [token])], first)[0]?.value).toBe(1);
    const broken = { ...emit(upgraded, [token]), topics: emit(upgraded, [token]).topics.slice(0, 1) };
    expect(measure([broken], first)).toEqual([]);
    expect(measure([emit(upgraded, [token], { address: bob })], first)).toEqual([]);
  });

  it("works from a reading that came back from the store", () => {
    const stored = JSON.parse(JSON.stringify(poll(slots(alice, bob))));
    expect(poll(slots(alice, bob), timed(stored))).toMatchObject({ value: 0 });
    expect(poll(slots(token, bob), timed(stored))).toMatchObject({ value: 1 });
  });
});

describe("a beacon proxy whose beacon is known", () => {
  const config = { beacon: bob };
  const state = (implementation: string) => [
    ...slots(zeroAddress, zeroAddress, bob),
    returned("address", implementation),
  ];

  it("has changed when the beacon names other code", () => {
    expect(proxyImplementation.relatedAddresses?.(config, subject)).toEqual([bob]);
    expect(proxyImplementation.reads?.(config, subject)).toHaveLength(7);
    const first = timed(poll(state(alice), undefined, config));
    expect(first.evidence).toMatchObject({ implementation: alice, beacon: bob });
    expect(poll(state(token), first, config)).toMatchObject({ value: 1 });
    const [reading] = measure([emit(upgraded, [token], { address: bob })], first, config);
    expect(reading?.value).toBe(1);
    expect(poll(state(token), timed(reading), config)).toMatchObject({ value: 0 });
  });

  it("is asked also when nobody named it, and learning what it names is no change", () => {
    const on = { ...subject, beacon: bob };
    expect(proxyImplementation.relatedAddresses?.({}, on)).toEqual([bob]);
    expect(proxyImplementation.reads?.({}, on)).toHaveLength(7);
    const look = (results: ReturnType<typeof state>, previous?: TimedReading) =>
      proxyImplementation.interpret?.({}, results, on, at(start, previous));
    const unasked = timed(poll(slots(zeroAddress, zeroAddress, bob)));
    expect(unasked.evidence).not.toHaveProperty("implementation");
    const first = timed(look(state(alice), unasked));
    expect(first).toMatchObject({ value: 0, evidence: { implementation: alice } });
    expect(look(state(token), first)).toMatchObject({ value: 1 });
    const events = [emit(upgraded, [token], { address: bob })];
    expect(proxyImplementation.measure?.({}, activity({ events }), on, first)).toMatchObject([{ value: 1 }]);
  });

  it("keeps the events of the two addresses in their order", () => {
    const first = timed(poll(state(alice), undefined, config));
    const events = [
      emit(upgraded, [token], { address: bob, log_index: 9 }),
      emit("BeaconUpgraded(address indexed beacon)", [token], { log_index: 4 }),
    ];
    expect(measure(events, first, config).map(({ log_index }) => log_index)).toEqual([4, 9]);
  });
});
