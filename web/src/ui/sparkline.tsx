import { cx } from "@/lib/class-names.ts";

const width = 120;
const height = 28;

/** A small line of recent values with the threshold as a dashed line. Decorative: the value is beside it as text. */
export function Sparkline({
  values,
  threshold,
  className,
}: {
  values: (number | null)[];
  threshold?: number | null;
  className?: string;
}) {
  const numbers = values.filter((value) => value !== null);
  if (numbers.length < 2)
    return (
      <span className={cx("text-xs text-muted", className)}>
        {numbers.length === 0 ? "no reading this hour" : "one reading this hour"}
      </span>
    );
  const all = threshold === null || threshold === undefined ? numbers : [...numbers, threshold];
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const y = (value: number) => height - 2 - ((value - min) / (max - min || 1)) * (height - 4);
  const x = (index: number) => (index / (values.length - 1)) * width;
  let isPenDown = false;
  const path = values
    .map((value, index) => {
      if (value === null) {
        isPenDown = false;
        return "";
      }
      const step = `${isPenDown ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
      isPenDown = true;
      return step;
    })
    .join("");
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
      className={cx("shrink-0", className)}
    >
      {threshold !== null && threshold !== undefined && (
        <line
          x1={0}
          x2={width}
          y1={y(threshold)}
          y2={y(threshold)}
          stroke="var(--critical)"
          strokeDasharray="3 3"
        />
      )}
      <path d={path} fill="none" stroke="var(--chart-1)" strokeWidth={1.5} />
    </svg>
  );
}

/** The service reports no larger share of the limit. */
const maxPercent = 200;

/** How near a value is to its threshold, as a bar with the percentage in words. */
export function ProximityBar({ proximity }: { proximity: number }) {
  const percent = Math.round(proximity * 100);
  const tone = proximity >= 1 ? "bg-critical" : proximity >= 0.8 ? "bg-warning" : "bg-accent";
  return (
    <span className="inline-flex items-center gap-2 text-xs whitespace-nowrap text-muted">
      <span
        className="inline-block h-1.5 w-14 overflow-hidden rounded-full bg-raised sm:w-24"
        aria-hidden="true"
      >
        <span className={cx("block h-full", tone)} style={{ width: `${Math.min(100, percent)}%` }} />
      </span>
      {percent >= maxPercent && "≥ "}
      {percent} % of limit
    </span>
  );
}
