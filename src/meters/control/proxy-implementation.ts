import { z } from "zod";
import type { Emitted, Subject } from "../../chains/activity.ts";
import type { ReadResult } from "../../chains/block.ts";
import { addressText } from "../config-fields.ts";
import { eventReading } from "../evidence.ts";
import { defineMeter, type Reading, type TimedReading } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { readingOrProblem, UnreadableState } from "../state-results.ts";
import { proxyChangeText } from "./proxy-change-text.ts";
import { isReportedByEvents, type ProxyKindName, proxyKindNames, proxyReads } from "./proxy-reads.ts";
import {
  advanceProxyState,
  type LabelledState,
  type ProxyState,
  previousProxyState,
  recordChange,
} from "./proxy-state.ts";
import { type ProxyResults, proxyStateFromReads } from "./proxy-state-from-reads.ts";

/** The time between two polls of a proxy that emits events: four hours. */
const slowCheckSeconds = 4 * 3600;

/** Detects changes of the code behind a proxy of any kind. */
export const proxyImplementation = defineMeter({
  type: "proxy_implementation",
  title: "Proxy upgrades",
  about:
    "1 if the implementation, admin, beacon, facets or modules of the proxy changed, else 0. Detected from upgrade events, and by polling what each kind of proxy stores, every few hours where the kind emits events: the slots of EIP-1967, EIP-1822 and older proxies, the beacon, the singleton of a Safe, the facets of a diamond, implementation() of EIP-897, and the contract to which a wallet delegates (EIP-7702).",
  unit: "changes",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  isForWallet: ({ kind }) => kind === "eip7702",
  instances: "one",
  config: z.strictObject({
    beacon: addressText
      .optional()
      .describe(
        "The beacon that provides the implementation; defaults to the beacon in the proxy's storage slot",
      ),
    kind: z
      .enum(proxyKindNames)
      .optional()
      .describe("The kind of proxy, as an inspection finds it; without it, the first poll finds the kind"),
  }),
  needs: ["state", "logs"],
  // The event of a beacon is one of them.
  declaredEvents: () => proxyEvents.all(),
  aggregation: "sum",

  events(config, subject) {
    const beacon = beaconOf(config, subject);
    return [
      { address: subject.address, topics: proxyEvents.topics() },
      ...(beacon ? [{ address: beacon, topics: beaconEvents.topics() }] : []),
    ];
  },

  relatedAddresses(config, subject) {
    const beacon = beaconOf(config, subject);
    return beacon ? [beacon] : [];
  },

  measure(config, { events }, subject, previous) {
    const { address } = subject;
    const beacon = beaconOf(config, subject);
    const proxyLogs = selectEvents(events, address, proxyEvents);
    const beaconLogs = beacon ? selectEvents(events, beacon, beaconEvents) : [];
    const readings: Reading[] = [];
    let state = previousProxyState(previous);
    for (const event of [...proxyLogs, ...beaconLogs].toSorted((a, b) => a.log_index - b.log_index)) {
      const step = stepOf(state, event);
      if (!step) continue;
      state = step.state;
      const kind = kindOf(previous);
      readings.push(eventReading(event, step.isChange ? 1 : 0, { ...step.evidence, ...(kind && { kind }) }));
    }
    return readings;
  },

  checkSeconds: slowCheckSeconds,

  // Proxies of these kinds emit an event when they change, so that polling only finds those that break the rule.
  minPollingSeconds({ kind }, previous) {
    const knownKind = kind ?? kindOf(previous);
    return knownKind && isReportedByEvents(knownKind) ? slowCheckSeconds : 0;
  },

  reads(config, subject, previous) {
    return planOf(config, subject, previous).flatMap(({ reads }) => reads);
  },

  interpret(config, results, subject, { previous }) {
    return readingOrProblem(() => {
      const plan = planOf(config, subject, previous);
      // The beacon or the kind became known while the state was read.
      if (plan.flatMap(({ reads }) => reads).length !== results.length)
        throw new UnreadableState("What the proxy stores became known while it was read; it is read again.");
      const { kind, ...observed } = proxyStateFromReads(byPart(plan, results));
      const { isChange, evidence } = advanceProxyState(previousProxyState(previous), observed, false);
      return { value: isChange ? 1 : 0, evidence: { ...evidence, kind: config.kind ?? kind } };
    });
  },

  describe(_config, { reading, words }) {
    return proxyChangeText(reading, words);
  },
});

type Config = { beacon?: string | undefined; kind?: ProxyKindName | undefined };

function planOf(config: Config, subject: Subject, previous: TimedReading | undefined) {
  return proxyReads(config.kind ?? quickKindOf(previous), subject.address, beaconOf(config, subject));
}

/** The kind that an earlier poll found; what the poll of another kind reads at once is read from then on alone. */
function kindOf(previous: TimedReading | undefined): ProxyKindName | undefined {
  return proxyKindNames.find((name) => name === previous?.evidence?.kind);
}

/** The rare polls of the other kinds read everything, because a proxy may change its kind. */
function quickKindOf(previous: TimedReading | undefined): ProxyKindName | undefined {
  const kind = kindOf(previous);
  return kind && !isReportedByEvents(kind) ? kind : undefined;
}

function byPart(plan: ReturnType<typeof planOf>, results: readonly ReadResult[]): ProxyResults {
  let next = 0;
  return new Map(
    plan.map(({ part, reads }) => {
      const resultsOfKind = results.slice(next, next + reads.length);
      next += reads.length;
      return [part, resultsOfKind];
    }),
  );
}

function beaconOf({ beacon }: Config, subject: Subject): string | undefined {
  return beacon ?? subject.beacon;
}

/** Events that name the new state of a proxy. */
const namingEvents = [
  "Upgraded(address implementation)",
  "AdminChanged(address previousAdmin, address newAdmin)",
  "BeaconUpgraded(address beacon)",
  // Safe before version 1.3
  "ChangedMasterCopy(address masterCopy)",
];

/** Events that prove a change of the code that a proxy runs, with the part that they leave unknown. */
const provingEvents = new Map([
  ["DiamondCut", "facets" as const],
  ["EnabledModule", undefined],
  ["DisabledModule", undefined],
]);

const proxyEvents = standardEvents([
  ...namingEvents,
  "DiamondCut((address facetAddress, uint8 action, bytes4[] functionSelectors)[] diamondCut, address init, bytes data)",
  "EnabledModule(address module)",
  "DisabledModule(address module)",
]);

const beaconEvents = standardEvents(["Upgraded(address implementation)"]);

function stepOf(state: LabelledState | undefined, event: Emitted) {
  const { decoded, tx_hash, position } = event;
  if (decoded && provingEvents.has(decoded.name))
    return recordChange(state, `${decoded.name} ${tx_hash}:${position}`, provingEvents.get(decoded.name));
  const observed = proxyStateFromEvent(decoded);
  return observed && advanceProxyState(state, observed, true);
}

function proxyStateFromEvent(
  decoded: { name: string; args: Record<string, unknown> } | undefined,
): ProxyState | undefined {
  const { $0: first, $1: second } = decoded?.args ?? {};
  if (decoded?.name === "AdminChanged") return typeof second === "string" ? { admin: second } : undefined;
  if (typeof first !== "string") return undefined;
  return decoded?.name === "BeaconUpgraded" ? { beacon: first } : { implementation: first };
}
