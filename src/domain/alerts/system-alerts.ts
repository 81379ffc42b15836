import { type App, inSeconds } from "../../app.ts";
import { chainOf } from "../../chains/index.ts";
import { meters } from "../../meters/index.ts";
import { listStaffEmails } from "../../store/accounts/staff.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import {
  claimUnnotifiedDegraded,
  insertFindings,
  listOpenSystemEvents,
  listOrgsOnChain,
  listSilentTargets,
  listUnmeasured,
  lockSystemAlerts,
  resolveSystemEvents,
  type SilentTarget,
  type UnmeasuredContract,
} from "../../store/alerts/system-alerts.ts";
import { listSuspended, type SuspendedContract } from "../../store/contracts/suspended-contracts.ts";
import { deleteUnreadBefore } from "../../store/contracts/unread-transactions.ts";
import { insertNotices, type NewEvent } from "../../store/engine/alert-events.ts";
import { type FailingSearch, listFailingSearches } from "../../store/inspection/search-problems.ts";
import type { ChainInfo } from "../../wire/contracts/chains.ts";
import { systemCaller } from "../caller.ts";
import { findFailingChannels, findWithheldChannels, mailAdmins } from "../channels/channel-alerts.ts";
import { listEnabledChains, stalledAfterSeconds } from "../contracts/chains.ts";
import { degradedMail, queueMail } from "../mail.ts";
import { inTransaction } from "../transaction.ts";
import { findGaps, findIdleChains, findLateChains, findUnread, unreadSeconds } from "./chain-alerts.ts";
import { subjectOf, systemEvent } from "./system-event.ts";

/** The target types that are polled: for these, missing readings are a problem. */
const stateTypes = meters.filter((meter) => meter.reads).map((meter) => meter.type);

/** A target that was measured this long before the last block of its chain had nothing to measure since. */
const idleMs = 600_000;

/**
 * Raises alerts when monitoring itself fails: a stalled chain, a suspended contract, a target without readings, a channel that
 * fails or may not receive alerts. Each problem is one event until it is resolved, and a new one if it recurs.
 */
export async function raiseSystemAlerts(app: App): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    if (!(await lockSystemAlerts(tx))) return;
    await deleteUnreadBefore(tx, inSeconds(app, -unreadSeconds));
    const { findings, isNotified } = await findProblems(app);
    const before = await listOpenSystemEvents(tx);
    const [current, announced] = [new Set(findings.map(subjectOf)), new Set(before.map(subjectOf))];
    const opened = findings.filter((event) => !announced.has(subjectOf(event)) && !isNotified(event));
    const resolved = before.filter((event) => !current.has(subjectOf(event)));
    await insertFindings(tx, opened);
    const ended = resolved.map(({ id }) => id);
    await resolveSystemEvents(tx, ended, app.clock.now());
    await insertNotices(tx, [
      ...opened.map(({ id, org_id }) => newNotice(app, org_id, id, "fired")),
      ...resolved.map(({ id, org_id }) => newNotice(app, org_id, id, "resolved")),
    ]);
    await mailAdmins(app, tx, opened);
  });
  for (const topic of ["notice.written", "mail.queued"]) app.bus.publish({ topic });
}

type Findings = { findings: NewEvent[]; isNotified(event: NewEvent): boolean };

async function findProblems(app: App): Promise<Findings> {
  const enabled = await listEnabledChains(app);
  const stalled = await findStalledChains(app, enabled);
  const stalledChains = new Set(stalled.map((event) => event.chain));
  const unfollowed = (await listSuspended(app.db)).map((contract) => unfollowedEvent(app, contract));
  const unsearched = (await listFailingSearches(app.db)).map((contract) => unsearchedEvent(app, contract));
  const silent = await findSilentTargets(app, enabled);
  const unmeasured = (await listUnmeasured(app.db)).map((contract) => unmeasuredEvent(app, contract));
  const ofChains = [
    ...stalled,
    ...(await findLateChains(app, enabled)),
    ...(await findIdleChains(app, enabled)),
    ...(await findGaps(app)),
    ...(await findUnread(app)),
  ];
  const ofChannels = [...(await findFailingChannels(app)), ...(await findWithheldChannels(app))];
  return {
    findings: [...ofChains, ...unfollowed, ...unsearched, ...unmeasured, ...silent, ...ofChannels],
    // A stalled chain already explains its targets without readings.
    isNotified: ({ kind, chain }) => kind === "no_data" && stalledChains.has(chain),
  };
}

/** Mails staff once about each chain that is degraded by a deep reorg. */
export async function notifyStaffOfDegradedChains(app: App): Promise<void> {
  await inTransaction(app, systemCaller, async (tx, { audit, hint }) => {
    const unnotified = await claimUnnotifiedDegraded(tx, app.clock.now());
    const staff = app.config.staffEmail ? [app.config.staffEmail] : await listStaffEmails(tx);
    for (const { chain, degraded_reason } of unnotified) {
      const details = { reason: degraded_reason };
      audit({ org_id: null, action: "chain.degraded", subject: { type: "chain", id: chain }, details });
      for (const to of staff) await queueMail(app, tx, degradedMail(to, chain, degraded_reason));
      hint({ topic: "mail.queued" });
    }
  });
}

/** Finds stalled chains, and chains without any block long after a contract was added. */
async function findStalledChains(app: App, enabled: ChainInfo[]): Promise<NewEvent[]> {
  const stalled = enabled.filter(({ state }) => state === "stalled" || state === "off");
  const perChain = stalled.map(async (chain) => {
    const before = chain.last_block_at ? app.clock.now() : inSeconds(app, -stalledAfterSeconds(chain));
    const orgs = await listOrgsOnChain(app.db, chain.chain, before);
    return orgs.map((org_id) => stalledEvent(app, org_id, chain));
  });
  return (await Promise.all(perChain)).flat();
}

/** The reason names no host: those are for staff only. */
function stalledEvent(app: App, org_id: string, chain: ChainInfo): NewEvent {
  const { lag_seconds, status_reason: last_error } = chain;
  const summary =
    lag_seconds === null
      ? `No block of ${chain.name} could be read so far. Nothing on this chain is monitored until then.`
      : `No new block of ${chain.name} has been processed for ${lag_seconds} seconds. Alerts on this chain are delayed.`;
  const message = last_error ? `${summary} ${last_error}` : summary;
  return systemEvent(app, {
    org_id,
    kind: "error",
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    subject: `stalled:${org_id}:${chain.chain}`,
    target_type: "chain",
    title: `${chain.name} is not being followed`,
    message,
    value: lag_seconds,
    unit: "seconds",
    explanation: { reason: "chain_stalled", head_block: chain.head_block },
  });
}

async function findSilentTargets(app: App, enabled: ChainInfo[]): Promise<NewEvent[]> {
  const silent = await listSilentTargets(app.db, stateTypes, app.clock.now());
  const lastBlockAt = new Map(enabled.map(({ chain, last_block_at }) => [chain, last_block_at]));
  // Nothing can be measured on a chain that makes no blocks.
  const isIdle = ({ chain, since }: SilentTarget) => {
    const last = lastBlockAt.get(chain);
    return last !== undefined && last !== null && Date.parse(last) - since.getTime() < idleMs;
  };
  return silent.filter((target) => !isIdle(target)).map((target) => silentEvent(app, target));
}

function silentEvent(app: App, target: SilentTarget): NewEvent {
  const where = `${target.label} on ${chainOf(target.chain)?.name ?? target.chain}`;
  return systemEvent(app, {
    org_id: target.org_id,
    kind: "no_data",
    chain: target.chain,
    chain_id: target.chain_id,
    contract_id: target.contract_id,
    target_id: target.id,
    target_type: target.target_type,
    subject: `silent:${target.id}`,
    title: `${target.name} of ${where} has no data`,
    message:
      `Nothing has been measured since ${target.since.toISOString()}. ${target.status_reason ?? ""}`.trim(),
    value: null,
    unit: null,
    explanation: { reason: "no_data", problem: target.status_reason },
  });
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
    explanation: {
      reason: contract.is_busy ? "too_busy" : "unreadable",
      address: contract.address,
      not_counted_after: Number(contract.last_height),
    },
  });
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
