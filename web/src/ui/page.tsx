import type { ReactNode } from "react";

/** A page: its heading, which gets the focus after navigation, its actions and its content. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  title: ReactNode;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="mx-auto w-full max-w-6xl min-w-0 px-4 py-5 sm:px-6">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h1 tabIndex={-1} className="text-xl font-semibold wrap-break-word">
            {title}
          </h1>
          {lead && <div className="mt-0.5 text-sm text-muted">{lead}</div>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
