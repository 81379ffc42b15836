import type { App } from "../../../app.ts";
import { chainOf } from "../../../chains/index.ts";
import type { NewEvent } from "../../../store/engine/alert-events.ts";
import { subjectOf, systemEvent } from "../system-event.ts";

/** What many contracts of a chain have in common when the nodes cause their problem. */
export type SharedCause = {
  /** Tells the causes of one kind of problem apart: problems that began at other times are not of one cause. */
  key: string;
  reason: string;
  /** The title for a chain of this name. */
  title(chain: string): string;
  message: string;
};

/** The contracts from which on a cause is taken to be that of the nodes. */
const minContracts = 3;

/**
 * Finds the problems that contracts of an org and chain share, with one event for all of them. An org would otherwise get a message
 * for each of its contracts when a provider changes. The events name no contract, because some may be hidden from their readers.
 */
export function findShared(
  app: App,
  kind: string,
  findings: readonly NewEvent[],
  causeOf: (finding: NewEvent) => SharedCause | undefined,
): { events: NewEvent[]; subjects: Set<string> } {
  const events: NewEvent[] = [];
  const subjects = new Set<string>();
  const shared = Map.groupBy(findings, (finding) => {
    const cause = causeOf(finding);
    return cause && `${kind}:chain:${finding.org_id}:${finding.chain}:${cause.key}`;
  });
  for (const [subject, [first, ...others]] of shared) {
    const cause = first && causeOf(first);
    if (!subject || !first || !cause) continue;
    const all = [first, ...others];
    if (new Set(all.map(({ contract_id }) => contract_id)).size < minContracts) continue;
    events.push(sharedEvent(app, subject, first, cause));
    for (const finding of all) subjects.add(subjectOf(finding));
  }
  return { events, subjects };
}

export function hourOf(time: string): string {
  return time.slice(0, 13);
}

function sharedEvent(app: App, subject: string, finding: NewEvent, cause: SharedCause): NewEvent {
  const { org_id, kind, severity, chain, chain_id } = finding;
  return systemEvent(app, {
    ...{ org_id, kind, severity, chain, chain_id, subject, target_type: "chain", value: null, unit: null },
    title: cause.title(chainOf(chain)?.name ?? chain),
    message: cause.message,
    explanation: { reason: cause.reason },
  });
}
