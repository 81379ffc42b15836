import { shortAddress } from "@/lib/text/units.ts";
import { CopyButton } from "@/ui/copy-button.tsx";
import { ExternalLink } from "@/ui/icons.ts";

type Props = {
  value: string;
  name?: string | null;
  isFull?: boolean;
  explorerUrl?: string | null;
  isPlain?: boolean;
};

/** An address or hash: shortened in the middle, read and copied whole. */
export function Address({ value, name, isFull = false, explorerUrl, isPlain = false }: Props) {
  return (
    <span className="inline-flex max-w-full items-center gap-1 align-bottom">
      {name && <b className="font-medium">{name}</b>}
      {isFull ? (
        <bdi className="min-w-0 font-mono text-sm break-all">{value}</bdi>
      ) : (
        <bdi className="font-mono text-sm" title={value}>
          <span aria-hidden>{shortAddress(value)}</span>
          <span className="sr-only">{value}</span>
        </bdi>
      )}
      {!isPlain && <CopyButton value={value} label={`Copy ${name ?? value}`} />}
      {explorerUrl && (
        <a
          href={explorerUrl}
          target="_blank"
          rel="noreferrer"
          aria-label={`Open ${name ?? value} in the explorer`}
          title="Open in the explorer"
          className="inline-grid size-6 shrink-0 place-items-center rounded text-muted hover:bg-raised hover:text-text"
        >
          <ExternalLink size={14} aria-hidden />
        </a>
      )}
    </span>
  );
}
