import type { App } from "../../../app.ts";
import { runForOwner } from "../../../lib/concurrency/current-owner.ts";
import { type ExportedEvent, listForExport } from "../../../store/alerts/history-export.ts";
import type { Viewer } from "../../../store/viewer.ts";
import type { HistoryExportQuery } from "../../../wire/alerts/alert-events.ts";
import type { PagePoint } from "../../../wire/page-point.ts";
import type { OrgCaller } from "../../caller.ts";
import { currentViewer } from "../../current-viewer.ts";
import { viewerOf } from "../../viewer-of.ts";
import { toCsvLine } from "./csv-line.ts";

/** Events per query, all that is in memory at a time. */
const pageSize = 500;

/** Returns the history as lines of CSV, one page of events after the other as the reader takes them. */
export async function exportHistory(
  app: App,
  caller: OrgCaller,
  filter: HistoryExportQuery,
): Promise<AsyncIterable<string>> {
  const load = (viewer: Viewer, after?: PagePoint) => listForExport(app.db, viewer, filter, after, pageSize);
  // A reader may take the pages so slowly that the membership or the session ends meanwhile; that ends the download.
  const loadNext = (after: PagePoint) =>
    runForOwner(caller.org_id, async () => load(await currentViewer(app, caller), after));
  // Loaded here, so that a failure is still an error reply.
  return toLines(await load(viewerOf(caller)), loadNext);
}

async function* toLines(
  first: ExportedEvent[],
  loadPage: (after: PagePoint) => Promise<ExportedEvent[]>,
): AsyncIterable<string> {
  yield toCsvLine(columns.map(([name]) => name));
  for (let page = first; ; ) {
    yield page.map((event) => toCsvLine(columns.map(([, read]) => read(event)))).join("");
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    page = await loadPage({ at: last.fired_at, id: last.id });
  }
}

type Value = Parameters<typeof toCsvLine>[0][number];

/** The columns and their values. */
const columns: [name: string, read: (event: ExportedEvent) => Value][] = [
  ["id", ({ id }) => id],
  ["kind", ({ kind }) => kind],
  ["status", ({ status }) => status],
  ["severity", ({ severity }) => severity],
  ["fired_at", ({ fired_at }) => fired_at],
  ["detected_at", ({ detected_at }) => detected_at],
  ["resolved_at", ({ resolved_at }) => resolved_at],
  ["acknowledged_at", ({ acknowledged_at }) => acknowledged_at],
  ["acknowledged_by", ({ acknowledged_by }) => acknowledged_by],
  ["rule_id", ({ rule_id }) => rule_id],
  ["rule_name", ({ rule_name }) => rule_name],
  ["contract_id", ({ contract_id }) => contract_id],
  ["contract_label", ({ contract_label }) => contract_label],
  ["chain", ({ chain }) => chain],
  ["target_type", ({ target_type }) => target_type],
  ["title", ({ title }) => title],
  ["message", ({ message }) => message],
  ["value", ({ value }) => value],
  ["operator", ({ operator }) => operator],
  ["threshold", ({ threshold }) => threshold],
  ["unit", ({ unit }) => unit],
  ["window_seconds", ({ window_seconds }) => window_seconds],
  ["group", ({ group_value }) => group_value],
  ["block_number", ({ block_number }) => (block_number === null ? null : Number(block_number))],
  ["tx_hash", ({ tx_hash }) => tx_hash],
  ["finality", ({ finality }) => finality],
];
