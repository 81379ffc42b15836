import { cx } from "@/lib/class-names.ts";
import { ArrowDown, ArrowUp } from "@/ui/icons.ts";
import { type Column, nextSort } from "@/ui/table/table-model.ts";

type Props<Row> = {
  columns: Column<Row>[];
  tracks: string;
  isNarrow: boolean;
  sort: string | undefined;
  onSort: ((sort: string | undefined) => void) | undefined;
  /** Undefined if rows cannot be selected. */
  isAllSelected: boolean | undefined;
  onSelectAll: () => void;
};

/** The titles of the columns; those that can be sorted by are buttons. On a narrow screen it is only read aloud. */
export function TableHead<Row>({
  columns,
  tracks,
  isNarrow,
  sort,
  onSort,
  isAllSelected,
  onSelectAll,
}: Props<Row>) {
  return (
    <div role="rowgroup" className={cx("sticky top-0 z-10", isNarrow && "sr-only")}>
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-9 items-center gap-3 border-b border-line bg-raised px-3 text-xs font-medium text-muted"
        style={{ gridTemplateColumns: tracks }}
      >
        {isAllSelected !== undefined && (
          <div role="columnheader">
            <input
              type="checkbox"
              aria-label="Select all"
              className="size-4 accent-accent"
              checked={isAllSelected}
              onChange={onSelectAll}
            />
          </div>
        )}
        {columns.map(({ id, title, sortBy, isRight }) => {
          const direction = sort === id ? "ascending" : sort === `-${id}` ? "descending" : undefined;
          const Arrow = direction === "descending" ? ArrowDown : ArrowUp;
          return (
            <div
              key={id}
              role="columnheader"
              aria-sort={direction}
              className={cx("min-w-0 truncate", isRight && "text-right")}
            >
              {sortBy && onSort ? (
                <button
                  type="button"
                  className="inline-flex h-6 items-center gap-1 rounded hover:text-text"
                  onClick={() => onSort(nextSort(sort, id))}
                >
                  {title}
                  {direction && <Arrow size={12} aria-hidden />}
                </button>
              ) : (
                title
              )}
            </div>
          );
        })}
      </div>
    </div>
  );
}
