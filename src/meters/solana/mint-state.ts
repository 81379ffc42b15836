import type { MintExtensions } from "../../chains/solana/accounts/mint-extensions.ts";
import type { MintAuthorities } from "../../chains/solana/accounts/token-data.ts";
import { changeOf } from "../change.ts";
import type { TimedReading } from "../meter.ts";

/** Who controls a mint and, if it has metadata of Metaplex, who can change those. */
type MintControl = MintAuthorities & { metadata?: string | undefined };

/** Writes who controls a mint, with the parts and settings that its extensions add, in a fixed order. */
function mintState({ mint, freeze, metadata }: MintControl, extensions: MintExtensions): string {
  const { permanentDelegate, transferFee, closeAuthority, interest, transferHook, scaledAmount, pause } =
    extensions;
  const { newAccounts } = extensions;
  const parts: [name: string, value: string | null | undefined][] = [
    ["mint", mint],
    ["freeze", freeze],
    ["permanent-delegate", permanentDelegate],
    ["fees", transferFee?.authority],
    ["fee-withdrawal", transferFee?.withdrawAuthority],
    ["mint-close", closeAuthority],
    ["interest", interest?.authority],
    ["hook", transferHook?.authority],
    ["hook-program", transferHook?.program],
    ["scaling", scaledAmount?.authority],
    ["pause", pause?.authority],
    ["fee-rate", transferFee && `${transferFee.basisPoints / 100}%`],
    ["interest-rate", interest && `${interest.rate / 100}%`],
    ["scale", scaledAmount && String(scaledAmount.factor)],
    ["transfers", pause && (pause.isPaused ? "paused" : "usable")],
    ["new-accounts", newAccounts],
    ["metadata", metadata],
  ];
  return parts
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value ?? "none"}`]))
    .join(", ");
}

/** Compares who controls a mint with the previous reading. Parts that it did not read count as unchanged. */
export function mintChange(
  authorities: MintControl,
  extensions: MintExtensions,
  previous: TimedReading | undefined,
): ReturnType<typeof changeOf> {
  const state = mintState(authorities, extensions);
  const before = previous?.evidence?.state;
  if (typeof before !== "string") return changeOf(state, previous);
  const knownParts = new Set(before.split(", ").map((part) => part.split(" ")[0]));
  const comparable = state
    .split(", ")
    .filter((part) => knownParts.has(part.split(" ")[0]))
    .join(", ");
  return comparable === before ? { value: 0, evidence: { state } } : changeOf(state, previous);
}
