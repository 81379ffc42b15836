import { type MouseEvent, memo, type ReactNode } from "react";
import { cx } from "@/lib/class-names.ts";
import type { Column } from "@/ui/table/table-model.ts";

type Props<Row> = {
  row: Row;
  index: number;
  isActive: boolean;
  top: number;
  height: number;
  columns: Column<Row>[];
  tracks: string;
  /** Set on a narrow screen. */
  card: ((row: Row) => ReactNode) | undefined;
  isSelected: boolean | undefined;
  onToggle: () => void;
  onFocus: () => void;
  onOpen: (row: Row) => void;
};

function TableRowContent<Row>(props: Props<Row>) {
  const { row, index, isActive, top, height, columns, tracks, card, isSelected, onToggle, onFocus, onOpen } =
    props;
  function open(event: MouseEvent<HTMLElement>) {
    // Links, buttons and checkboxes in the row do their own work, and selected text is not a click.
    if ((event.target as HTMLElement).closest("a, button, input, label") || getSelection()?.toString())
      return;
    onOpen(row);
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its rows.
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      data-index={index}
      tabIndex={isActive ? 0 : -1}
      onFocus={onFocus}
      onClick={open}
      className={cx(
        "absolute inset-x-0 cursor-pointer border-b border-line px-3 outline-offset-[-2px] hover:bg-raised",
        card ? "flex items-center gap-3" : "grid items-center gap-3 text-sm",
        isSelected && "bg-info-bg",
      )}
      style={{ height, transform: `translateY(${top}px)`, ...(!card && { gridTemplateColumns: tracks }) }}
    >
      {isSelected !== undefined && (
        <div role="gridcell">
          <input
            type="checkbox"
            aria-label="Select the row"
            tabIndex={-1}
            className="size-4 accent-accent"
            checked={isSelected}
            onChange={onToggle}
          />
        </div>
      )}
      {card ? (
        <div role="gridcell" className="min-w-0 flex-1">
          {card(row)}
        </div>
      ) : (
        columns.map(({ id, cell, isRight }) => (
          <div key={id} role="gridcell" className={cx("min-w-0 truncate", isRight && "text-right")}>
            {cell(row)}
          </div>
        ))
      )}
    </div>
  );
}

/** One row of a table. The callbacks change with every render of the table but do the same, so they are not compared. */
export const TableRow = memo(TableRowContent, (a, b) =>
  (["row", "index", "isActive", "top", "height", "columns", "tracks", "card", "isSelected"] as const).every(
    (key) => a[key] === b[key],
  ),
) as typeof TableRowContent;
