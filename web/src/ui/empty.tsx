import type { ReactNode } from "react";
import { ApiCall, type Call } from "@/ui/api-call.tsx";

/** An empty list is an instruction: what it is for, what to do, and the same by API. */
export function Empty({
  title,
  children,
  actions,
  call,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  call?: Call;
}) {
  return (
    <div className="rounded-lg border border-dashed border-line-strong p-6 text-center">
      <h2 className="font-semibold">{title}</h2>
      {children && <p className="mx-auto mt-1 max-w-prose text-sm text-muted">{children}</p>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-2">{actions}</div>}
      {call && (
        <div className="mx-auto mt-4 max-w-xl text-left">
          <ApiCall call={call} />
        </div>
      )}
    </div>
  );
}
