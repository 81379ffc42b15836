import { z } from "zod";
import type { Subject } from "../../chains/activity.ts";
import { implementationFunction, proxySlots } from "../../chains/evm/code/proxy-slots.ts";
import { addressText } from "../config-fields.ts";
import { eventReading } from "../evidence.ts";
import { defineMeter, type Reading } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { readCall, readingOrProblem } from "../state-results.ts";
import { proxyStateFromSlots } from "./proxy-slots.ts";
import { advanceProxyState, type ProxyState, previousProxyState } from "./proxy-state.ts";

/** Detects changes of the implementation, admin or beacon of a proxy. */
export const proxyImplementation = defineMeter({
  type: "proxy_implementation",
  title: "Proxy upgrades",
  about:
    "1 if the implementation, admin or beacon of the proxy changed, else 0. Detected from upgrade events and by polling the proxy storage slots.",
  unit: "changes",
  families: ["evm"],
  instances: "one",
  config: z.strictObject({
    beacon: addressText
      .optional()
      .describe(
        "The beacon that provides the implementation; defaults to the beacon in the proxy's storage slot",
      ),
  }),
  needs: ["logs", "state"],
  aggregation: "sum",

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
      const observed = proxyStateFromEvent(event.decoded);
      if (!observed) continue;
      const step = advanceProxyState(state, observed, true);
      state = step.state;
      readings.push(eventReading(event, step.isChange ? 1 : 0, step.evidence));
    }
    return readings;
  },

  reads(config, subject) {
    const { address } = subject;
    const slots = proxySlots.map(({ slot }) => ({ kind: "storage" as const, address, slot }));
    const beacon = beaconOf(config, subject);
    return beacon ? [...slots, readCall(beacon, implementationFunction)] : slots;
  },

  interpret(config, results, subject, { previous }) {
    return readingOrProblem(() => {
      const observed = proxyStateFromSlots(results, beaconOf(config, subject) !== undefined);
      const { isChange, evidence } = advanceProxyState(previousProxyState(previous), observed, false);
      return { value: isChange ? 1 : 0, evidence };
    });
  },
});

function beaconOf({ beacon }: { beacon?: string | undefined }, subject: Subject): string | undefined {
  return beacon ?? subject.beacon;
}

const proxyEvents = standardEvents([
  "Upgraded(address implementation)",
  "AdminChanged(address previousAdmin, address newAdmin)",
  "BeaconUpgraded(address beacon)",
]);

const beaconEvents = standardEvents(["Upgraded(address implementation)"]);

function proxyStateFromEvent(
  decoded: { name: string; args: Record<string, unknown> } | undefined,
): ProxyState | undefined {
  const { $0: first, $1: second } = decoded?.args ?? {};
  if (decoded?.name === "AdminChanged") return typeof second === "string" ? { admin: second } : undefined;
  if (typeof first !== "string") return undefined;
  return decoded?.name === "BeaconUpgraded" ? { beacon: first } : { implementation: first };
}
