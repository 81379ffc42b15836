import { formatWithUnit } from "@/lib/text/units.ts";
import { utcText } from "@/ui/time.tsx";

const maxRows = 500;

/** The points of a chart as rows, newest first. */
export function PointsTable({
  times,
  values,
  unit,
  caption,
}: {
  times: number[];
  values: (number | null)[];
  unit: string | null;
  caption: string;
}) {
  const rows = times.map((time, index) => ({ time, value: values[index] ?? null })).reverse();
  return (
    <div
      className="max-h-72 overflow-auto rounded border border-line"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable with the keyboard.
      tabIndex={0}
      role="region"
      aria-label={caption}
    >
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-raised text-left text-xs text-muted">
          <tr>
            <th className="px-3 py-1.5 font-medium">Time</th>
            <th className="px-3 py-1.5 text-right font-medium">Value</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, maxRows).map(({ time, value }) => (
            <tr key={time} className="border-t border-line">
              <td className="px-3 py-1">{utcText(new Date(time * 1000).toISOString())}</td>
              <td className="px-3 py-1 text-right">{formatWithUnit(value, unit)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > maxRows && (
        <p className="p-2 text-xs text-muted">
          The newest {maxRows} of {rows.length} points.
        </p>
      )}
    </div>
  );
}
