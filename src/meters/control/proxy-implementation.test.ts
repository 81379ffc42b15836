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
import type { ReadResult } from "../../chains/block.ts";
import { proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import type { TimedReading } from "../meter.ts";
import { fullWords, noNames } from "../words.ts";
import { proxyChangeText } from "./proxy-change-text.ts";
import { proxyImplementation } from "./proxy-implementation.ts";

const upgraded = "Upgraded(address indexed implementation)";
const adminChanged = "AdminChanged(address previousAdmin, address newAdmin)";

/** What else is read without a kind: the contract has none of these functions. */
const noOtherKind: ReadResult[] = [word(zeroAddress), failed, failed, failed];

function slotWords(implementation: string, admin: string = zeroAddress, beacon: string = zeroAddress) {
  return [implementation, admin, beacon, zeroAddress, zeroAddress, zeroAddress].map((address) =>
    word(address),
  );
}

/** The results of all reads: the EIP-1967 slots as given, the older ones empty. */
function slots(...addresses: Parameters<typeof slotWords>): ReadResult[] {
  return [...slotWords(...addresses), ...noOtherKind];
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
    ...slotWords(zeroAddress, zeroAddress, bob),
    returned("address", implementation),
    failed,
    ...noOtherKind,
  ];

  it("is changed if the implementation of a beacon from before the standard changes", () => {
    const child = (implementation: string) => [
      ...slotWords(zeroAddress, zeroAddress, bob),
      failed,
      returned("address", implementation),
      ...noOtherKind,
    ];
    const first = timed(poll(child(alice), undefined, config));
    expect(first.evidence).toMatchObject({ implementation: alice, beacon: bob });
    expect(poll(child(token), first, config)).toMatchObject({
      ...{ value: 1, evidence: { implementation: token, previous_implementation: alice } },
    });
  });

  it("is changed if the implementation of the beacon changes", () => {
    expect(proxyImplementation.relatedAddresses?.(config, subject)).toEqual([bob]);
    expect(proxyImplementation.reads?.(config, subject)).toHaveLength(12);
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
    expect(proxyImplementation.reads?.({}, on)).toHaveLength(12);
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

describe("a proxy that emits events", () => {
  it("is polled every four hours once it is recognised, by all reads", () => {
    const first = timed(poll([...slotWords(alice), word(zeroAddress), failed, failed, failed]));
    expect(first.evidence).toMatchObject({ kind: "eip1967" });
    expect(proxyImplementation.minPollingSeconds?.({}, first)).toBe(14_400);
    const events = measure([emit(upgraded, [token])], first);
    expect(events[0]?.evidence).toMatchObject({ kind: "eip1967", implementation: token });
  });
});

describe("a Safe", () => {
  const config = { kind: "safe" as const };
  const state = (singleton: string) => [returned("address", singleton)];

  it("is changed if its singleton is replaced in the first slot, without any event", () => {
    // A call can be sent together with those of other contracts, the slot cannot.
    expect(proxyImplementation.reads?.(config, subject)).toMatchObject([{ kind: "call" }]);
    const first = timed(poll(state(alice), undefined, config));
    expect(first).toMatchObject({ value: 0, evidence: { implementation: alice } });
    expect(poll(state(token), first, config)).toMatchObject({
      value: 1,
      evidence: { implementation: token, previous_implementation: alice },
    });
  });

  it("is recognised without a kind, and a first slot that is not a singleton is ignored", () => {
    const withFirst = (slot: string, named: ReadResult) => [
      ...slotWords(zeroAddress),
      ...[word(slot), named, failed, failed],
    ];
    expect(poll(withFirst(alice, returned("address", alice)))).toMatchObject({
      evidence: { implementation: alice },
    });
    expect(poll(withFirst(alice, failed))).toMatchObject({ isUnsupported: true });
    expect(poll(withFirst(alice, returned("address", bob)))).toMatchObject({ isUnsupported: true });
  });

  it("is polled at the interval of the organisation once it is recognised, by one call", () => {
    const first = timed(
      poll([...slotWords(zeroAddress), word(alice), returned("address", alice), failed, failed]),
    );
    expect(proxyImplementation.minPollingSeconds?.({}, first)).toBe(0);
    expect(proxyImplementation.reads?.({}, subject, first)).toMatchObject([{ kind: "call" }]);
    expect(poll(state(token), first)).toMatchObject({ value: 1, evidence: { implementation: token } });
  });

  it("is changed by a module that is enabled or disabled", () => {
    const first = timed(poll(state(alice), undefined, config));
    const [reading] = measure([emit("EnabledModule(address indexed module)", [bob])], first, config);
    expect(reading).toMatchObject({
      value: 1,
      evidence: { implementation: alice, decoded: { args: { module: bob } } },
    });
    expect(reading?.evidence?.state).not.toBe(first.evidence?.state);
    expect(poll(state(alice), timed(reading), config)).toMatchObject({ value: 0 });
  });
});

describe("a diamond", () => {
  const config = { kind: "diamond" as const };
  const state = (...facets: string[]) => [returned("address[]", facets)];
  const cut =
    "DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] diamondCut, address init, bytes data)";

  it("is changed if a facet is added or removed, whatever their order", () => {
    const first = timed(poll(state(alice, bob), undefined, config));
    expect(poll(state(bob, alice), first, config)).toMatchObject({ value: 0 });
    const second = timed(poll(state(alice, bob, token), first, config));
    expect(second).toMatchObject({ value: 1, evidence: { previous_facets: expect.stringContaining(bob) } });
    expect(second.evidence?.facets).toContain(token);
  });

  it("is changed once by a cut, which the next poll does not repeat", () => {
    const first = timed(poll(state(alice), undefined, config));
    const event = emit(cut, [
      [{ facetAddress: bob, action: 0, functionSelectors: ["0x12345678"] }],
      zeroAddress,
      "0x",
    ]);
    const [reading] = measure([event], first, config);
    expect(reading).toMatchObject({
      value: 1,
      evidence: { previous_facets: alice, decoded: { name: "DiamondCut" } },
    });
    expect(poll(state(alice, bob), timed(reading), config)).toMatchObject({ value: 0 });
  });

  it("is described with the facets that had the functions, as far as they are known", () => {
    const functionSelectors = ["0x12345678"];
    const cuts = [
      { facetAddress: token, action: 1, functionSelectors },
      { facetAddress: zeroAddress, action: 2, functionSelectors },
    ];
    const textAfter = (...facets: string[]) => {
      const first = facets.length > 0 ? timed(poll(state(...facets), undefined, config)) : undefined;
      const [reading] = measure([emit(cut, [cuts, zeroAddress, "0x"])], first, config);
      return proxyChangeText(timed(reading), fullWords(noNames));
    };
    expect(textAfter(alice)).toContain(
      `1 function replaced from ${alice} by ${token}, 1 function removed from ${alice}`,
    );
    expect(textAfter(alice, bob)).toContain(
      `1 function replaced by ${token}, 1 function removed; facets before: `,
    );
    expect(textAfter(alice, bob)).toContain(bob);
    expect(textAfter()).toContain(`1 function replaced by ${token}, 1 function removed`);
    expect(textAfter()).not.toContain("before");
  });
});

describe("an EIP-897 proxy", () => {
  const config = { kind: "eip897" as const };

  it("is changed if implementation() returns another address", () => {
    const first = timed(poll([returned("address", alice)], undefined, config));
    expect(poll([returned("address", token)], first, config)).toMatchObject({
      value: 1,
      evidence: { previous_implementation: alice, implementation: token },
    });
  });

  it("is not changed by a node that does not answer", () => {
    const first = timed(poll([returned("address", alice)], undefined, config));
    const unanswered = { ok: false, code: "timed_out", problem: "The node timed out." } as const;
    expect(poll([unanswered], first, config)).toHaveProperty("problem");
  });
});

describe("a wallet that can delegate to a contract", () => {
  const config = { kind: "eip7702" as const };
  const code = (delegate?: string): ReadResult[] => [
    { ok: true, data: delegate ? `0xef0100${delegate.slice(2).toLowerCase()}` : "0x" },
  ];

  it("is changed if it delegates, to whom it delegates changes, and if it no longer delegates", () => {
    expect(proxyImplementation.reads?.(config, subject)).toEqual([
      { kind: "code", address: subject.address },
    ]);
    const first = timed(poll(code(), undefined, config));
    expect(first.value).toBe(0);
    const second = timed(poll(code(alice), first, config));
    expect(second).toMatchObject({ value: 1, evidence: { implementation: alice } });
    expect(poll(code(alice), second, config)).toMatchObject({ value: 0 });
    expect(poll(code(bob), second, config)).toMatchObject({
      ...{ value: 1, evidence: { implementation: bob, previous_implementation: alice } },
    });
    const last = timed(poll(code(), second, config));
    expect([last.value, proxyChangeText(last, fullWords(noNames))]).toEqual([
      1,
      `delegation of the wallet changed: runs no code, before ${alice}`,
    ]);
  });

  it("is unsupported at the address of a contract", () => {
    expect(poll([{ ok: true, data: "0x6001" }], undefined, config)).toMatchObject({ isUnsupported: true });
  });
});
