import { useSyncExternalStore } from "react";
import { ApiError } from "@/lib/api.ts";
import { CopyButton } from "@/ui/copy-button.tsx";
import { messageOf } from "@/ui/error-text.tsx";
import { CircleCheck, OctagonAlert, X } from "@/ui/icons.ts";

type Toast = { id: number; text: string; isError: boolean; requestId: string | undefined };

let toasts: Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();
const shownMs = { done: 5_000, failed: 15_000 };

function change(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(text: string, isError: boolean, requestId?: string): void {
  const id = nextId++;
  change([...toasts.slice(-3), { id, text, isError, requestId }]);
  setTimeout(() => dismiss(id), isError ? shownMs.failed : shownMs.done);
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Short messages about what was done or failed. */
export const toast = {
  done: (text: string) => show(text, false),
  failed: (error: unknown) =>
    show(messageOf(error), true, error instanceof ApiError ? error.requestId : undefined),
};

/** The place of the messages; present from the start, so that screen readers announce what is added. */
export function Toaster() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => toasts,
  );
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-20 z-60 flex flex-col items-end gap-2 sm:bottom-4"
    >
      {shown.map(({ id, text, isError, requestId }) => (
        <div
          key={id}
          className="fade-in pointer-events-auto flex max-w-sm items-start gap-2 rounded-lg border border-line bg-surface p-3 text-sm shadow-float"
        >
          {isError ? (
            <OctagonAlert size={16} aria-hidden className="mt-px shrink-0 text-critical" />
          ) : (
            <CircleCheck size={16} aria-hidden className="mt-px shrink-0 text-ok" />
          )}
          <div className="min-w-0">
            <p className="wrap-break-word">{text}</p>
            {requestId && (
              <p className="text-xs break-all text-muted">
                Request {requestId} <CopyButton value={requestId} label="Copy the request id" />
              </p>
            )}
          </div>
          <button
            type="button"
            aria-label="Dismiss"
            onClick={() => dismiss(id)}
            className="inline-grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-raised"
          >
            <X size={14} aria-hidden />
          </button>
        </div>
      ))}
    </div>
  );
}
