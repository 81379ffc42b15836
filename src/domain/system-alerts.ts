import { type App, newId } from "../app.ts";
import { chainOf } from "../chains/index.ts";
import { meters } from "../meters/index.ts";
import { insertNotices, type NewEvent, type NewNotice } from "../store/alert-events.ts";
import { listProgress } from "../store/cursors.ts";
import { listStaffEmails } from "../store/staff.ts";
import {
  insertFindings,
  listOrgsOnChain,
  listSilentTargets,
  resolveSystemEvents,
  type SilentTarget,
  takeUntoldDegraded,
} from "../store/system-alerts.ts";
import { listUnfollowed, type UnfollowedContract } from "../store/unfollowed.ts";
import type { ChainInfo } from "../wire/contracts.ts";
import { systemCaller } from "./caller.ts";
import { listEnabledChains } from "./chains.ts";
import { findFailingChannels, mailAdmins } from "./channel-alerts.ts";
import { degradedMail, queueMail } from "./mails.ts";
import { systemEvent } from "./system-event.ts";
import { write } from "./write.ts";

/** The types that are read at intervals, so that hearing nothing from them means something. */
const stateTypes = meters.filter((meter) => meter.reads).map((meter) => meter.type);

/**
 * Tells orgs when the watch itself has failed: a chain that stands still, a contract that is no longer followed, a target
 * that gives nothing, a channel that nothing gets through to. Silence from a monitor must not look like calm. Each finding
 * is one event until it is over.
 */
export async function raiseSystemAlerts(app: App): Promise<void> {
  const stalled = await findStalledChains(app);
  const silent = await findSilentTargets(app);
  // A target on a chain that stands still is silent for that reason, which is told already.
  const stalledChains = new Set(stalled.map((event) => event.chain));
  const deaf = await findFailingChannels(app);
  const unfollowed = (await listUnfollowed(app.db)).map((contract) => unfollowedEvent(app, contract));
  const heard = silent.filter((event) => !stalledChains.has(event.chain));
  const findings = [...stalled, ...unfollowed, ...heard, ...deaf];
  await app.db.transaction().execute(async (tx) => {
    const fresh = await insertFindings(tx, findings);
    const opened = findings.filter(({ id }) => fresh.has(id));
    const over = await resolveSystemEvents(
      tx,
      findings.map((event) => event.observation),
      app.clock.now(),
    );
    await insertNotices(tx, [
      ...opened.map(({ id, org_id }) => notice(app, org_id, id, "fired")),
      ...over.map(({ id, org_id }) => notice(app, org_id, id, "resolved")),
    ]);
    await mailAdmins(app, tx, opened);
  });
  for (const topic of ["notice.written", "mail.queued"]) app.bus.publish({ topic });
}

/** Mails staff of chains that went back further than they should ever go, once each. */
export async function tellStaffOfDegradedChains(app: App): Promise<void> {
  await write(app, systemCaller, async (tx, { audit, hint }) => {
    const untold = await takeUntoldDegraded(tx, app.clock.now());
    const staff = app.config.staffEmail ? [app.config.staffEmail] : await listStaffEmails(tx);
    for (const { chain, degraded_reason } of untold) {
      const details = { reason: degraded_reason };
      audit({ org_id: null, action: "chain.degraded", subject: { type: "chain", id: chain }, details });
      for (const to of staff) await queueMail(app, tx, degradedMail(to, chain, degraded_reason));
      hint({ topic: "mail.queued" });
    }
  });
}

async function findStalledChains(app: App): Promise<NewEvent[]> {
  const progress = await listProgress(app.db);
  const stalled = (await listEnabledChains(app)).filter((chain) => chain.state === "stalled");
  const perChain = stalled.map(async (chain) => {
    const known = progress.find((one) => one.chain === chain.chain);
    const orgs = await listOrgsOnChain(app.db, chain.chain);
    return orgs.map((org_id) =>
      stalledEvent(app, org_id, chain, known?.time ?? 0, known?.last_error ?? null),
    );
  });
  return (await Promise.all(perChain)).flat();
}

function stalledEvent(
  app: App,
  org_id: string,
  chain: ChainInfo,
  since: number,
  last_error: string | null,
): NewEvent {
  const lag = chain.lag_seconds ?? 0;
  return systemEvent(app, {
    org_id,
    kind: "error",
    chain: chain.chain,
    chain_id: String(chain.chain_id),
    observation: `system:stalled:${org_id}:${chain.chain}:${since}`,
    target_type: "chain",
    title: `${chain.name} is not being followed`,
    message: `No new block of ${chain.name} has been taken in for ${lag} seconds. Alerts on it are late until it moves again.`,
    value: lag,
    unit: "seconds",
    explanation: { reason: "chain_stalled", last_error, head_block: chain.head_block },
  });
}

async function findSilentTargets(app: App): Promise<NewEvent[]> {
  const silent = await listSilentTargets(app.db, stateTypes, app.clock.now());
  return silent.map((target) => silentEvent(app, target));
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
    observation: `system:silent:${target.id}:${target.since.toISOString()}`,
    title: `${target.name} of ${where} gives no data`,
    message:
      `Nothing has been measured since ${target.since.toISOString()}. ${target.status_reason ?? ""}`.trim(),
    value: null,
    unit: null,
    explanation: { reason: "no_data", problem: target.status_reason },
  });
}

function unfollowedEvent(app: App, contract: UnfollowedContract): NewEvent {
  const where = `${contract.label} on ${chainOf(contract.chain)?.name ?? contract.chain}`;
  return systemEvent(app, {
    org_id: contract.org_id,
    kind: "error",
    chain: contract.chain,
    chain_id: contract.chain_id,
    contract_id: contract.id,
    target_type: "contract",
    observation: `system:unfollowed:${contract.id}:${contract.since}`,
    title: `${where} is not being followed`,
    message: contract.status_reason ?? `Nothing after block ${contract.since} is counted.`,
    value: null,
    unit: null,
    explanation: { reason: "too_busy", not_counted_after: Number(contract.since) },
  });
}

function notice(app: App, org_id: string, event_id: string, kind: "fired" | "resolved"): NewNotice {
  return { id: newId(app), org_id, event_id, kind, occurrence: 0, created_at: app.clock.now() };
}
