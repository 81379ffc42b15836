import { Link } from "@tanstack/react-router";
import type { Schemas } from "@/lib/api.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";

type Result = Schemas["BulkImportResult"];
type Status = Result["items"][number]["status"];

const order: Status[] = ["failed", "not_reached", "imported", "skipped"];
const tones: Record<Status, Tone> = {
  failed: "critical",
  not_reached: "warning",
  imported: "ok",
  skipped: "neutral",
};
/** More lines than anyone reads; the counts are of all. */
const shownItems = 200;

/** What an import did, or would do, line by line: problems first. */
export function ImportResult({ result }: { result: Result }) {
  const { dry_run, imported, skipped, failed, not_reached } = result;
  const words: Record<Status, string> = {
    failed: "failed",
    not_reached: "beyond the quota",
    imported: dry_run ? "would be added" : "added",
    skipped: "monitored already",
  };
  const sortedItems = result.items.toSorted((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return (
    <div className="space-y-3">
      <p role="status" className="text-sm">
        <b className="font-medium">
          {imported} {imported === 1 ? "contract" : "contracts"} {dry_run ? "would be added" : "added"}
        </b>
        , {skipped} monitored already, {failed} failed
        {not_reached > 0 && `, ${not_reached} beyond the quota of the tier`}.
      </p>
      <ul className="divide-y divide-line rounded border border-line">
        {sortedItems.slice(0, shownItems).map((item) => (
          <li key={item.index} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
            <span className="w-16 text-muted">Row {item.index + 1}</span>
            <span className="min-w-0 flex-1 basis-48 break-all">
              {item.chain}{" "}
              {item.contract_id ? (
                <Link to="/contracts/$id" params={{ id: item.contract_id }} className="underline">
                  {item.address}
                </Link>
              ) : (
                item.address
              )}
              {item.message && <span className="block text-muted">{item.message}</span>}
            </span>
            <Badge tone={tones[item.status]}>{words[item.status]}</Badge>
          </li>
        ))}
      </ul>
      {sortedItems.length > shownItems && (
        <p className="text-sm text-muted">{sortedItems.length - shownItems} more rows are not shown.</p>
      )}
    </div>
  );
}
