import { ApiError } from "@/lib/api.ts";
import { cx } from "@/lib/class-names.ts";
import { CopyButton } from "@/ui/copy-button.tsx";
import { OctagonAlert } from "@/ui/icons.ts";

/** What failed, in a sentence, with the request id to copy into a report. */
export function ErrorText({ error, className }: { error: unknown; className?: string }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div
      role="alert"
      className={cx("rounded border border-critical bg-critical-bg p-2 text-sm text-critical", className)}
    >
      <p className="flex gap-2">
        <OctagonAlert size={16} aria-hidden className="mt-px shrink-0" />
        <span className="min-w-0 wrap-break-word">{messageOf(error)}</span>
      </p>
      {requestId && (
        <p className="mt-1 pl-6 text-xs">
          Request <code className="break-all">{requestId}</code>
          <CopyButton value={requestId} label="Copy the request id" className="text-critical" />
        </p>
      )}
    </div>
  );
}

/** The sentence for an error of any kind. A failed fetch has no useful text of its own. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.retryAfterSeconds)
    return `${error.message} Try again in ${error.retryAfterSeconds} s.`;
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return "The service cannot be reached. Check the connection and try again.";
  return error instanceof Error ? error.message : "Something failed. Try again.";
}
