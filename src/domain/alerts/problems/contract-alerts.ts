import type { App } from "../../../app.ts";
import { chainOf } from "../../../chains/index.ts";
import { listUnmeasured, type UnmeasuredContract } from "../../../store/alerts/system-alerts.ts";
import { listSuspended, type SuspendedContract } from "../../../store/contracts/suspended-contracts.ts";
import type { NewEvent } from "../../../store/engine/alert-events.ts";
import { type FailingSearch, listFailingSearches } from "../../../store/inspection/search-problems.ts";
import { systemEvent } from "../system-event.ts";
import { hourOf, type SharedCause } from "./shared-problems.ts";

/** Finds contracts that are suspended. */
export async function findUnfollowed(app: App): Promise<NewEvent[]> {
  return (await listSuspended(app.db)).map((contract) => unfollowedEvent(app, contract));
}

/** Finds contracts whose token accounts cannot be searched. */
export async function findUnsearched(app: App): Promise<NewEvent[]> {
  return (await listFailingSearches(app.db)).map((contract) => unsearchedEvent(app, contract));
}

/** An address is busy whatever the nodes do. */
export function causeOfUnfollowed({ explanation }: NewEvent): SharedCause | undefined {
  const { reason, suspended_at } = JSON.parse(String(explanation)) as ReturnType<typeof explainUnfollowed>;
  if (reason === "too_busy") return undefined;
  return {
    key: hourOf(suspended_at),
    reason,
    title: (chain) => `Contracts on ${chain} are not being followed`,
    message:
      "The nodes of this chain do not return the transactions of several contracts, which are counted later, when they do. The " +
      "status of each contract says why, and when it is checked again.",
  };
}

export function causeOfUnsearched(): SharedCause {
  return {
    key: "nodes",
    reason: "unsearched",
    title: (chain) => `New token accounts on ${chain} are not found`,
    message:
      "The token accounts of several contracts cannot be searched. Those that are known are followed. The status of each contract " +
      "says since when. If the nodes do not list token accounts again, use an endpoint that does.",
  };
}

/** Finds contracts of which nothing can be measured. */
export async function findUnmeasured(app: App): Promise<NewEvent[]> {
  return (await listUnmeasured(app.db)).map((contract) => unmeasuredEvent(app, contract));
}

function unmeasuredEvent(app: App, contract: UnmeasuredContract): NewEvent {
  const where = `${contract.label} on ${chainOf(contract.chain)?.name ?? contract.chain}`;
  const isGone = contract.status_code === "no_code";
  return systemEvent(app, {
    org_id: contract.org_id,
    kind: "error",
    severity: isGone ? "critical" : "warning",
    chain: contract.chain,
    chain_id: contract.chain_id,
    contract_id: contract.id,
    target_type: "contract",
    subject: `unmeasured:${contract.id}:${contract.status_code}`,
    title: isGone ? `The code of ${where} has gone` : `${where} is not monitored`,
    message: contract.status_reason ?? "None of its targets can be measured.",
    value: null,
    unit: null,
    explanation: { reason: contract.status_code },
  });
}

function unfollowedEvent(app: App, contract: SuspendedContract): NewEvent {
  const where = `${contract.label} on ${chainOf(contract.chain)?.name ?? contract.chain}`;
  return systemEvent(app, {
    org_id: contract.org_id,
    kind: "error",
    chain: contract.chain,
    chain_id: contract.chain_id,
    contract_id: contract.id,
    target_type: "contract",
    subject: `unfollowed:${contract.id}:${contract.address}`,
    title: `${where} is not being followed`,
    message: contract.reason,
    value: null,
    unit: null,
    explanation: explainUnfollowed(contract),
  });
}

function explainUnfollowed({ is_busy, address, last_height, created_at }: SuspendedContract) {
  return {
    reason: is_busy ? "too_busy" : "unreadable",
    address,
    not_counted_after: Number(last_height),
    suspended_at: created_at.toISOString(),
  };
}

function unsearchedEvent(app: App, contract: FailingSearch): NewEvent {
  const where = `${contract.label} on ${chainOf(contract.chain)?.name ?? contract.chain}`;
  return systemEvent(app, {
    org_id: contract.org_id,
    kind: "error",
    severity: "warning",
    chain: contract.chain,
    chain_id: contract.chain_id,
    contract_id: contract.id,
    target_type: "contract",
    subject: `unsearched:${contract.id}`,
    title: `New token accounts of ${where} are not found`,
    message: contract.problem,
    value: null,
    unit: null,
    explanation: { reason: "unsearched", failing_since: contract.failing_since.toISOString() },
  });
}
