import type { ReactNode } from "react";
import { cx } from "@/lib/class-names.ts";

/** A section of a page, with a heading and what can be done with it. */
export function Card({
  title,
  actions,
  children,
  isFlush = false,
  id,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  /** Without padding, for tables and lists. */
  isFlush?: boolean;
  id?: string;
}) {
  return (
    <section id={id} className="min-w-0 rounded-lg border border-line bg-surface">
      {title && (
        <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-1.5">
          <h2 className="font-semibold">{title}</h2>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className={cx(!isFlush && "p-4")}>{children}</div>
    </section>
  );
}

/** Names and values, side by side where there is space. */
export function Facts({ rows }: { rows: [string, ReactNode][] }) {
  return (
    <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(120px,auto)_1fr] sm:gap-y-2">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="mb-1 min-w-0 wrap-break-word sm:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
