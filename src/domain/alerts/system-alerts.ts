import type { App } from "../../app.ts";
import { newNotice } from "../../store/alerts/new-notice.ts";
import {
  insertFindings,
  listOpenSystemEvents,
  lockSystemAlerts,
  type OpenSystemEvent,
  resolveSystemEvents,
} from "../../store/alerts/system-alerts.ts";
import { insertNotices } from "../../store/engine/alert-events.ts";
import type { Db } from "../../store/open-store.ts";
import type { ChainInfo } from "../../wire/contracts/chains.ts";
import { mailAdmins } from "../channels/channel-alerts.ts";
import { listEnabledChains } from "../contracts/chains.ts";
import { type ProblemSearch, problemSearches } from "./problems/problem-searches.ts";
import { findShared } from "./problems/shared-problems.ts";
import { subjectOf } from "./system-event.ts";

/**
 * Raises alerts when monitoring itself fails: a stalled chain, a suspended contract, a target without readings, a channel that
 * fails or may not receive alerts. Each problem is one event until it is resolved, and a new one if it recurs; so is one that many
 * contracts share. A search that fails delays no other.
 */
export async function raiseSystemAlerts(app: App): Promise<void> {
  const enabled = await listEnabledChains(app);
  const failed: string[] = [];
  for (const [kind, search] of Object.entries(problemSearches)) {
    await raiseOfKind(app, kind, search, enabled).catch((error: unknown) => {
      app.log.warn({ err: error, kind }, "search for problems failed");
      failed.push(kind);
    });
  }
  for (const topic of ["notice.written", "mail.queued"]) app.bus.publish({ topic });
  if (failed.length > 0)
    throw new Error(`The search for some kinds of problems failed: ${failed.join(", ")}.`);
}

async function raiseOfKind(
  app: App,
  kind: string,
  search: ProblemSearch,
  enabled: ChainInfo[],
): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    if (!(await lockSystemAlerts(tx, kind))) return;
    const single = await search.find(app, enabled);
    const shared = search.causeOf && findShared(app, kind, single, search.causeOf);
    const findings = [...(shared?.events ?? []), ...single];
    const announced = await resolveOthers(app, tx, kind, new Set(findings.map(subjectOf)));
    const explained = await search.findExplainedOn?.(app, enabled);
    const opened = findings
      .filter((event) => !announced.has(subjectOf(event)) && !explained?.has(event.chain))
      .filter((event) => !shared?.subjects.has(subjectOf(event)));
    await insertFindings(tx, opened);
    await insertNotices(
      tx,
      opened.map(({ id, org_id }) => newNotice(app, org_id, id, "fired")),
    );
    await mailAdmins(app, tx, opened);
  });
}

/** Resolves the open events of a kind whose problem is not `current`, and returns the subjects of the others. */
async function resolveOthers(app: App, tx: Db, kind: string, current: Set<string>): Promise<Set<string>> {
  const announced = new Set<string>();
  for (let last: OpenSystemEvent | undefined, isMore = true; isMore; ) {
    const { events, hasMore } = await listOpenSystemEvents(tx, kind, last);
    const resolved = events.filter((event) => !current.has(subjectOf(event)));
    await resolve(app, tx, resolved);
    for (const event of events) if (current.has(subjectOf(event))) announced.add(subjectOf(event));
    [last, isMore] = [events.at(-1), hasMore];
  }
  return announced;
}

async function resolve(app: App, tx: Db, events: OpenSystemEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  await resolveSystemEvents(tx, ids, app.clock.now());
  await insertNotices(
    tx,
    events.map(({ id, org_id }) => newNotice(app, org_id, id, "resolved")),
  );
}
