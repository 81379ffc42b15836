import { useTable } from "@tanstack/react-table";
import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useIsNarrow } from "@/lib/browser/media.ts";
import { TableHead } from "@/ui/table/table-head.tsx";
import { type Column, features, sortRows, toColumnDefs } from "@/ui/table/table-model.ts";
import { TableRow } from "@/ui/table/table-row.tsx";

export type Selection = Record<string, true>;

type Props<Row> = {
  /** What the rows are, for screen readers: "Contracts". */
  label: string;
  rows: Row[];
  columns: Column<Row>[];
  /** The row on a narrow screen. */
  card: (row: Row) => ReactNode;
  cardHeight?: number;
  onOpen: (row: Row) => void;
  sort?: string | undefined;
  onSort?: (sort: string | undefined) => void;
  selection?: Selection;
  onSelect?: (selection: Selection) => void;
  /** Called when the last rows come into view, to load more. */
  onEnd?: () => void;
  /** The maximum height before the table scrolls automatically. */
  maxHeight?: string;
};

/** A table of any length: only visible rows are rendered. Arrow keys or j and k move, Enter opens, x selects. */
export function DataTable<Row extends { id: string }>(props: Props<Row>) {
  const {
    label,
    rows: data,
    columns,
    card,
    cardHeight = 64,
    onOpen,
    sort,
    onSort,
    selection,
    onSelect,
  } = props;
  const isNarrow = useIsNarrow();
  const [active, setActive] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const columnDefs = useMemo(() => toColumnDefs(columns), [columns]);
  const sorted = useMemo(() => sortRows(data, columns, sort), [data, columns, sort]);
  // A filter may shorten the list; without this, no row would be a tab stop.
  const focusedIndex = Math.min(active, sorted.length - 1);
  const virtual = useVirtualizer({
    count: sorted.length,
    getScrollElement: () => box.current,
    estimateSize: () => (isNarrow ? cardHeight : 36),
    overscan: 8,
    getItemKey: (index) => sorted[index]?.id ?? index,
    // The focused row stays mounted.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), focusedIndex])]
        .filter((index) => index >= 0)
        .sort((a, b) => a - b),
  });
  const heightKey = `${isNarrow}`;
  const measured = useRef(heightKey);
  if (measured.current !== heightKey) {
    measured.current = heightKey;
    virtual.measure();
  }
  const virtualItems = virtual.getVirtualItems().filter(({ index }) => index < sorted.length);
  const shown = virtualItems.map(({ index }) => index).join(" ");
  // The table gets only the rendered rows: making thousands of rows takes longer than everything else.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same indexes are the same rows.
  const rendered = useMemo(() => virtualItems.flatMap(({ index }) => sorted[index] ?? []), [sorted, shown]);
  const table = useTable({
    features,
    data: rendered,
    columns: columnDefs,
    getRowId: (row: Row) => row.id,
    enableRowSelection: onSelect !== undefined,
    state: { rowSelection: selection ?? {} },
    onRowSelectionChange: (next) => onSelect?.(typeof next === "function" ? next(selection ?? {}) : next),
  });
  const { rows } = table.getRowModel();
  const isAllSelected = useMemo(
    () => sorted.length > 0 && sorted.every(({ id }) => selection?.[id]),
    [sorted, selection],
  );
  function toggleAll() {
    const next = { ...selection };
    for (const { id } of sorted) {
      if (isAllSelected) delete next[id];
      else next[id] = true;
    }
    onSelect?.(next);
  }
  const lastShown = virtualItems.findLast(({ index }) => index !== focusedIndex)?.index ?? 0;
  const isAtEnd = sorted.length > 0 && lastShown >= sorted.length - 8;
  const { onEnd } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks once for each length of the list that is scrolled through.
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, sorted.length]);
  function onKeyDown(event: KeyboardEvent) {
    // Keys in a cell belong to the cell.
    if (!(event.target as HTMLElement).matches("[role=row]")) return;
    const row = sorted[focusedIndex];
    if (!row) return;
    if (event.key === "Enter") return onOpen(row);
    if (event.key === "x" && onSelect) return table.getRow(row.id).toggleSelected();
    const moves: Record<string, number> = {
      ArrowDown: focusedIndex + 1,
      j: focusedIndex + 1,
      ArrowUp: focusedIndex - 1,
      k: focusedIndex - 1,
      Home: 0,
      End: sorted.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined || !sorted[to]) return;
    event.preventDefault();
    setActive(to);
    virtual.scrollToIndex(to);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
  }
  const tracks = [...(onSelect ? ["32px"] : []), ...columns.map(({ width }) => width)].join(" ");
  return (
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={sorted.length + 1}
      aria-multiselectable={onSelect ? true : undefined}
      ref={box}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      className="relative overflow-auto rounded-lg border border-line bg-surface"
      style={{ maxHeight: props.maxHeight ?? "max(320px, calc(100dvh - 260px))" }}
    >
      <TableHead
        columns={columns}
        tracks={tracks}
        isNarrow={isNarrow}
        sort={sort}
        onSort={onSort}
        isAllSelected={onSelect ? isAllSelected : undefined}
        onSelectAll={toggleAll}
      />
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtualItems.map((item, position) => {
          const row = rows[position];
          if (!row) return null;
          return (
            <TableRow
              key={item.key}
              row={row.original}
              index={item.index}
              isActive={item.index === focusedIndex}
              top={item.start}
              height={item.size}
              columns={columns}
              tracks={tracks}
              card={isNarrow ? card : undefined}
              isSelected={onSelect ? Boolean(selection?.[row.id]) : undefined}
              onToggle={() => row.toggleSelected()}
              onFocus={() => setActive(item.index)}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}
