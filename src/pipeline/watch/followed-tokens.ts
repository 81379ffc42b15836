import type { Subject } from "../../chains/activity.ts";
import type { Meter } from "../../meters/meter.ts";

type MeasuredContract = {
  subject: Subject;
  targets: readonly { meter: Meter; config: Record<string, unknown> }[];
};

/** The tokens whose transfers from and to a contract are measured. */
export function followedTokensOf({ subject, targets }: MeasuredContract): string[] {
  return [...new Set(targets.flatMap(({ meter, config }) => meter.followedTokens?.(config, subject) ?? []))];
}

/** The tokens whose transfers or balance are measured: the vaults of a program hold them. */
export function vaultTokensOf(contract: MeasuredContract): string[] {
  const { subject, targets } = contract;
  const held = targets.flatMap(({ meter, config }) => meter.heldTokens?.(config, subject) ?? []);
  return [...new Set([...followedTokensOf(contract), ...held])].sort();
}
