import { zeroAddress } from "viem";
import type { TimedReading } from "../meter.ts";

const parts = ["implementation", "admin", "beacon"] as const;
type Part = (typeof parts)[number];

/** What is known of a proxy: addresses, or the zero address where nothing is set. What is missing is not known. */
export type ProxyState = Partial<Record<Part, string>>;

/** A state with the text that the operator `changed` compares. */
export type LabelledState = { known: ProxyState; label: string };

/**
 * What a new look makes of what was known, and what of it changed. A log proves that what it names was set just now, even
 * where nothing was known before; a slot that is read for the first time proves nothing.
 */
export function advanceProxyState(
  before: LabelledState | undefined,
  observed: ProxyState,
  isFromLog: boolean,
): { state: LabelledState; evidence: Record<string, unknown>; isChange: boolean } {
  const changed = parts.filter((part) => {
    const known = before?.known[part];
    return observed[part] !== undefined && known !== observed[part] && (isFromLog || known !== undefined);
  });
  const known = { ...before?.known, ...observed };
  // Learning what was not known before is no change, so the text stays as it is.
  const label = before && changed.length === 0 ? before.label : labelOf(known);
  const previous = changed.map((part) => [`previous_${part}`, before?.known[part] ?? null]);
  const evidence = { state: label, ...known, ...Object.fromEntries(previous) };
  return { state: { known, label }, evidence, isChange: changed.length > 0 };
}

/** Where there is a beacon, an empty slot does not say that there is no code: the beacon does, which was not asked. */
export function omitUnknownImplementation(observed: ProxyState): ProxyState {
  const { implementation, ...others } = observed;
  const isUnknown = implementation === zeroAddress && (observed.beacon ?? zeroAddress) !== zeroAddress;
  return isUnknown ? others : observed;
}

/** What an earlier reading knew. */
export function previousProxyState(previous: TimedReading | undefined): LabelledState | undefined {
  const evidence = previous?.evidence;
  if (typeof evidence?.state !== "string") return undefined;
  const known = parts.flatMap((part) => {
    const address = evidence[part];
    return typeof address === "string" ? [[part, address]] : [];
  });
  return { known: omitUnknownImplementation(Object.fromEntries(known)), label: evidence.state };
}

function labelOf(known: ProxyState): string {
  return parts.map((part) => `${part} ${known[part] ?? "unknown"}`).join(", ");
}
