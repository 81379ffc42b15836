import type { SquadsMultisig } from "../../chains/solana/multisigs/squads-version.ts";
import { changeOf } from "../change.ts";
import type { TimedReading } from "../meter.ts";
import type { Words } from "../words.ts";

/** Compares who controls a multisig with the previous reading. */
export function multisigChange(
  { threshold, voters, timeLockSeconds, configAuthority }: SquadsMultisig,
  previous: TimedReading | undefined,
): ReturnType<typeof changeOf> {
  const parts = [
    `threshold ${threshold}`,
    `voters ${voters.toSorted().join(" ")}`,
    `time-lock ${timeLockSeconds}`,
    `config-authority ${configAuthority ?? "none"}`,
  ];
  return changeOf(parts.join(", "), previous);
}

/** Says what changed of a multisig; undefined if the states are not those of a multisig. */
export function multisigChangeText(before: unknown, after: unknown, words: Words): string | undefined {
  const [was, is] = [partsOf(before), partsOf(after)];
  if (!was || !is) return undefined;
  const added = is.voters.filter((one) => !was.voters.includes(one));
  const removed = was.voters.filter((one) => !is.voters.includes(one));
  const isSameApproval = was.threshold === is.threshold && was.voters.length === is.voters.length;
  const texts = [
    ...(isSameApproval ? [] : [thresholdText(was, is)]),
    ...(added.length > 0 ? [`added ${namesOf(added, words)}`] : []),
    ...(removed.length > 0 ? [`removed ${namesOf(removed, words)}`] : []),
    ...(was.timeLock === is.timeLock ? [] : [`time lock ${was.timeLock} s → ${is.timeLock} s`]),
    ...(was.authority === is.authority
      ? []
      : [
          `who can change it without a vote: ${words.address(was.authority)} → ${words.address(is.authority)}`,
        ]),
  ];
  return `multisig changed: ${texts.join("; ")}`;
}

type Parts = { threshold: number; voters: string[]; timeLock: string; authority: string };

const pattern = /^threshold (\d+), voters ([^,]*), time-lock (\d+), config-authority (\S+)$/;

function partsOf(state: unknown): Parts | undefined {
  const found = typeof state === "string" ? pattern.exec(state) : null;
  if (!found) return undefined;
  const [, threshold, voters = "", timeLock = "", authority = ""] = found;
  return { threshold: Number(threshold), voters: voters.split(" "), timeLock, authority };
}

function thresholdText(was: Parts, is: Parts): string {
  const direction =
    is.threshold < was.threshold ? "lowered" : is.threshold > was.threshold ? "raised" : "unchanged";
  return `threshold ${direction}, ${was.threshold} of ${was.voters.length} → ${is.threshold} of ${is.voters.length}`;
}

const maxNamed = 5;

function namesOf(members: readonly string[], words: Words): string {
  const named = members.slice(0, maxNamed).map((one) => words.address(one));
  const more = members.length > maxNamed ? ` and ${members.length - maxNamed} more` : "";
  return `${named.join(", ")}${more}`;
}
