import type { Subject } from "../../chains/activity.ts";
import type { Need } from "../../meters/meter.ts";
import { type PlannedTarget, targetNeeds } from "./make-plan.ts";

/** The needs that only transactions meet, on a chain that is read by address. */
const ofTransactions: readonly Need[] = ["transactions", "logs", "receipts", "traces"];

/** The addresses whose transactions a target needs, on a chain that is read by address. */
export function transactionAddressesOf(target: PlannedTarget & { contract: { subject: Subject } }): string[] {
  const { meter, config, contract } = target;
  const needs = targetNeeds(target);
  if (!ofTransactions.some((need) => needs.has(need))) return [];
  const { subject } = contract;
  return (
    meter.transactionsOf?.(config, subject) ?? [
      subject.address,
      ...(meter.relatedAddresses?.(config, subject) ?? []),
    ]
  );
}
