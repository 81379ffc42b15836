import { useSuspenseQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { BulkBar } from "@/features/contracts/bulk-bar.tsx";
import { ContractCard, contractColumns } from "@/features/contracts/columns.tsx";
import { type ContractFilter, filterContracts, indexContracts } from "@/features/contracts/filter.ts";
import { ContractFilters } from "@/features/contracts/filters.tsx";
import { useShortcuts } from "@/lib/browser/shortcuts.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { contractsQuery } from "@/queries/contracts.ts";
import { buttonClass } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { Page } from "@/ui/page.tsx";
import { DataTable, type Selection } from "@/ui/table/data-table.tsx";

const route = getRouteApi("/contracts");

export function ContractsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayEdit = useCanEdit();
  const { data: contracts } = useSuspenseQuery(contractsQuery(useOrg()));
  const [text, setText] = useState(search.q ?? "");
  const [selection, setSelection] = useState<Selection>({});
  const q = useDeferredValue(text);
  const indexed = useMemo(() => indexContracts(contracts), [contracts]);
  const { chain, status, label } = search;
  const rows = useMemo(
    () => filterContracts(indexed, { q, chain, status, label }),
    [indexed, q, chain, status, label],
  );
  const change = useCallback(
    (next: ContractFilter & { sort?: string | undefined }) =>
      void navigate({ search: (old) => ({ ...old, ...next }) as typeof old, replace: true }),
    [navigate],
  );
  useShortcuts([{ keys: "c", does: "Add a contract", run: () => void navigate({ to: "/contracts/new" }) }]);
  const selected = contracts.filter(({ id }) => selection[id]);
  return (
    <Page
      title="Contracts"
      lead={`${contracts.length} ${contracts.length === 1 ? "address" : "addresses"} that this organisation monitors.`}
      actions={
        mayEdit && (
          <Link to="/contracts/new" className={buttonClass("primary")}>
            Add contract
          </Link>
        )
      }
    >
      {contracts.length === 0 ? (
        <Empty
          title="No contracts yet"
          actions={
            <Link to="/contracts/new" className={buttonClass("primary")}>
              Add a contract
            </Link>
          }
          call={{
            method: "POST",
            path: "/contracts",
            body: { chain: "ethereum", address: "0x…", selected_targets: [{ target_type: "tx_rate" }] },
          }}
        >
          Paste an address or an explorer link. Tocsin looks at the contract and suggests what to watch.
        </Empty>
      ) : (
        <>
          <ContractFilters
            contracts={contracts}
            search={search}
            text={text}
            onText={setText}
            onChange={change}
          />
          {selected.length > 0 && mayEdit && <BulkBar contracts={selected} onDone={() => setSelection({})} />}
          {rows.length === 0 ? (
            <p className="p-6 text-center text-muted">No contract matches these filters.</p>
          ) : (
            <DataTable
              label="Contracts"
              rows={rows}
              columns={contractColumns}
              card={ContractCard}
              onOpen={({ id }) => void navigate({ to: "/contracts/$id", params: { id } })}
              sort={search.sort}
              onSort={(sort) => change({ sort })}
              {...(mayEdit && { selection, onSelect: setSelection })}
            />
          )}
          <p className="mt-2 text-sm text-muted" role="status">
            {rows.length} of {contracts.length} shown
          </p>
        </>
      )}
    </Page>
  );
}
