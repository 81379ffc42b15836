import { Link } from "@tanstack/react-router";
import { ContractStatus } from "@/features/contracts/status-badge.tsx";
import { shortAddress } from "@/lib/text/units.ts";
import type { Contract } from "@/queries/contracts.ts";
import { Badge } from "@/ui/badge.tsx";
import type { Column } from "@/ui/table/table-model.ts";
import { Time } from "@/ui/time.tsx";

export const labelText = ({ key, value }: Contract["labels"][number]) => (key ? `${key}:${value}` : value);

/** Light cells: thousands of rows scroll through them. */
export const contractColumns: Column<Contract>[] = [
  {
    id: "label",
    title: "Name",
    width: "minmax(150px, 1.4fr)",
    sortBy: ({ label }) => label,
    cell: ({ id, label }) => (
      <Link to="/contracts/$id" params={{ id }} preload={false} className="font-medium hover:underline">
        {label}
      </Link>
    ),
  },
  { id: "chain", title: "Chain", width: "96px", sortBy: ({ chain }) => chain, cell: ({ chain }) => chain },
  {
    id: "address",
    title: "Address",
    width: "140px",
    cell: ({ address }) => (
      <span className="font-mono text-xs" title={address}>
        {shortAddress(address)}
      </span>
    ),
  },
  { id: "status", title: "Status", width: "96px", sortBy: ({ status }) => status, cell: ContractStatus },
  {
    id: "targets",
    title: "Targets",
    width: "62px",
    isRight: true,
    sortBy: ({ targets_count }) => targets_count,
    cell: ({ targets_count }) => targets_count,
  },
  {
    id: "rules",
    title: "Rules",
    width: "54px",
    isRight: true,
    sortBy: ({ rules_count }) => rules_count,
    cell: ({ rules_count }) => rules_count,
  },
  {
    id: "labels",
    title: "Labels",
    width: "minmax(80px, 1fr)",
    cell: ({ labels }) => (
      <span className="inline-flex gap-1">
        {labels.slice(0, 3).map((label) => (
          <Badge key={label.id}>{labelText(label)}</Badge>
        ))}
        {labels.length > 3 && <span className="text-xs text-muted">+{labels.length - 3}</span>}
      </span>
    ),
  },
  {
    id: "activity",
    title: "Last activity",
    width: "92px",
    isRight: true,
    sortBy: ({ last_activity_at }) => (last_activity_at ? Date.parse(last_activity_at) : 0),
    cell: ({ last_activity_at }) =>
      last_activity_at ? <Time at={last_activity_at} /> : <span className="text-muted">none</span>,
  },
];

/** A contract on a narrow screen. */
export function ContractCard({ id, label, chain, address, status }: Contract) {
  return (
    <>
      <p className="mb-0.5 flex items-center justify-between gap-2">
        <Link to="/contracts/$id" params={{ id }} className="truncate font-medium">
          {label}
        </Link>
        <ContractStatus status={status} />
      </p>
      <p className="truncate text-sm text-muted">
        {chain} · <span className="font-mono">{shortAddress(address)}</span>
      </p>
    </>
  );
}
