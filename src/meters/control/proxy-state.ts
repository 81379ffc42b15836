import { zeroAddress } from "../../chains/evm/values/address.ts";
import type { TimedReading } from "../meter.ts";

export const proxyParts = ["implementation", "admin", "beacon", "facets"] as const;
type Part = (typeof proxyParts)[number];

/** The known addresses of a proxy; facets as a list in one text. The zero address means not set; a missing part is unknown. */
export type ProxyState = Partial<Record<Part, string>>;

/** A proxy state with the label that the operator `changed` compares. */
export type LabelledState = { known: ProxyState; label: string };

/**
 * Merges an observation into the known state and detects changes. A log proves a change even if the part was unknown; the
 * first read of a slot does not.
 */
export function advanceProxyState(
  before: LabelledState | undefined,
  observed: ProxyState,
  isFromLog: boolean,
): { state: LabelledState; evidence: Record<string, unknown>; isChange: boolean } {
  const changed = proxyParts.filter((part) => {
    const knownAddress = before?.known[part];
    return (
      observed[part] !== undefined &&
      knownAddress !== observed[part] &&
      (isFromLog || knownAddress !== undefined)
    );
  });
  const knownParts = { ...before?.known, ...observed };
  // Learning an unknown part is not a change, so the label stays the same.
  const label = before && changed.length === 0 ? before.label : labelOf(knownParts);
  const previous = changed.map((part) => [`previous_${part}`, before?.known[part] ?? null]);
  const evidence = { state: label, ...knownParts, ...Object.fromEntries(previous) };
  return { state: { known: knownParts, label }, evidence, isChange: changed.length > 0 };
}

/** A change that a log proves without naming the new state: `unknown` is the part that the next poll has to learn. */
export function recordChange(
  before: LabelledState | undefined,
  change: string,
  unknown: Part | undefined,
): { state: LabelledState; evidence: Record<string, unknown>; isChange: true } {
  const knownParts = { ...before?.known };
  const previous = unknown && knownParts[unknown] ? { [`previous_${unknown}`]: knownParts[unknown] } : {};
  if (unknown) delete knownParts[unknown];
  const label = `${labelOf(knownParts)}, ${change}`;
  return {
    state: { known: knownParts, label },
    evidence: { state: label, ...knownParts, ...previous },
    isChange: true,
  };
}

/** With a beacon, an empty implementation slot means unknown: the beacon has the implementation, and it was not read. */
export function omitUnknownImplementation(observed: ProxyState): ProxyState {
  const { implementation, ...others } = observed;
  const isUnknown = implementation === zeroAddress && (observed.beacon ?? zeroAddress) !== zeroAddress;
  return isUnknown ? others : observed;
}

/** Restores the state from the evidence of the previous reading. */
export function previousProxyState(previous: TimedReading | undefined): LabelledState | undefined {
  const evidence = previous?.evidence;
  if (typeof evidence?.state !== "string") return undefined;
  const knownParts = proxyParts.flatMap((part) => {
    const address = evidence[part];
    return typeof address === "string" ? [[part, address]] : [];
  });
  return { known: omitUnknownImplementation(Object.fromEntries(knownParts)), label: evidence.state };
}

function labelOf(state: ProxyState): string {
  const named = proxyParts.filter((part) => part !== "facets" || state.facets !== undefined);
  return named.map((part) => `${part} ${state[part] ?? "unknown"}`).join(", ");
}
