import { CopyButton } from "@/ui/copy-button.tsx";

/** A request of the public API. */
export type Call = { method: "GET" | "POST" | "PATCH" | "DELETE"; path: string; body?: unknown };

/** The command line for a request, with the address of this service filled in. */
function curlOf({ method, path, body }: Call): string {
  const lines = [
    `curl -X ${method} ${location.origin}/api/v1${path}`,
    `-H "Authorization: Bearer $TOCSIN_KEY"`,
  ];
  if (body !== undefined)
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`,
    );
  return lines.join(" \\\n  ");
}

/** The same action as a request, folded until it is wanted. */
export function ApiCall({ call }: { call: Call }) {
  const text = curlOf(call);
  return (
    <details className="rounded border border-line bg-surface text-sm">
      <summary className="flex h-8 items-center px-3 text-muted touch:h-11">The same by API</summary>
      <div className="relative border-t border-line">
        <pre className="p-3 pr-10 font-mono text-xs whitespace-pre-wrap break-all">{text}</pre>
        <div className="absolute top-2 right-2">
          <CopyButton value={text} label="Copy the command" />
        </div>
      </div>
    </details>
  );
}
