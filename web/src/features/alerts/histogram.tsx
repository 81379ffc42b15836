import type { Schemas } from "@/lib/api.ts";
import { severities } from "@/lib/severity.ts";
import { utcText } from "@/ui/time.tsx";

type Bucket = Schemas["Activity"]["buckets"][number];

const height = 56;

/** How many alerts there were over time, stacked by severity. A bar selects its span. */
export function Histogram({
  buckets,
  total,
  onSelect,
}: {
  buckets: Bucket[];
  total: number;
  onSelect: (from: string, to: string) => void;
}) {
  const max = Math.max(1, ...buckets.map((bucket) => bucket.total));
  const endOf = (index: number) => buckets[index + 1]?.at ?? new Date().toISOString();
  const busiest = buckets.reduce<Bucket | undefined>(
    (best, bucket) => (bucket.total > (best?.total ?? 0) ? bucket : best),
    undefined,
  );
  return (
    <figure className="mb-3">
      <figcaption className="mb-1 text-xs text-muted">
        {total} {total === 1 ? "alert" : "alerts"} in this range
        {busiest && total > 1 && `, most of them (${busiest.total}) from ${utcText(busiest.at)}`}
      </figcaption>
      <div
        className="flex items-end overflow-hidden border-b sm:gap-px border-line-strong"
        style={{ height }}
      >
        {buckets.map(({ at, counts, total: count }, index) => (
          <button
            key={at}
            type="button"
            disabled={count === 0}
            tabIndex={count === 0 ? -1 : 0}
            aria-label={`${count} alerts from ${utcText(at)}: ${counts.critical} critical, ${counts.warning} warning, ${counts.info} info. Show only these`}
            title={`${utcText(at)}: ${count}`}
            onClick={() => onSelect(at, endOf(index))}
            className="flex h-full min-w-0 flex-1 flex-col justify-end outline-offset-0 enabled:hover:bg-raised"
          >
            {severities.map((severity) => (
              <span
                key={severity}
                className="block w-full"
                style={{ height: (counts[severity] / max) * (height - 4), background: `var(--${severity})` }}
              />
            ))}
          </button>
        ))}
      </div>
    </figure>
  );
}
