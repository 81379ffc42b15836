import "uplot/dist/uPlot.min.css";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import uPlot from "uplot";
import { useColors } from "@/lib/browser/theme.ts";
import { formatValue } from "@/lib/text/units.ts";
import { Button } from "@/ui/button.tsx";
import { drawMarks, type Marks } from "@/ui/chart/draw-marks.ts";
import { PointsTable } from "@/ui/chart/points-table.tsx";
import { tokenColor } from "@/ui/chart/token-color.ts";

type Props = {
  title: string;
  /** One sentence with what the chart shows, also for people who cannot see it. */
  summary: ReactNode;
  /** Seconds, ascending. */
  times: number[];
  values: (number | null)[];
  unit?: string | null;
  /** The span of the time axis in seconds; by default that of the points. */
  span?: [from: number, to: number];
  height?: number;
  marks?: Marks;
};

/** A line over time with a threshold, marked moments and shaded spans; also as a table. */
export function TimeSeries({ title, summary, times, values, unit, span, height = 200, marks = {} }: Props) {
  const [isTable, setTable] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const colors = useColors();
  const latest = useRef({ times, values, marks, span });
  latest.current = { times, values, marks, span };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read from the page when the theme changes.
  useEffect(() => {
    const element = box.current;
    if (isTable || !element) return;
    const axis = {
      stroke: tokenColor("--text-muted", element),
      grid: { stroke: tokenColor("--line", element), width: 1 },
      ticks: { show: false },
    };
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
        scales: {
          x: { range: (_chart, min, max) => latest.current.span ?? [min, max] },
          y: { range: (_chart, min, max) => rangeOf(min, max, latest.current.marks.threshold) },
        },
        axes: [
          {
            ...axis,
            values: (_chart, ticks) => ticks.map((seconds, index) => tickText(seconds, ticks[index - 1])),
          },
          { ...axis, size: 56, values: (_chart, ticks) => ticks.map(formatValue) },
        ],
        series: [
          {},
          {
            stroke: tokenColor("--chart-1", element),
            width: 1.5,
            points: { size: 4, show: latest.current.times.length < 40 },
          },
        ],
        hooks: { draw: [(chart) => drawMarks(chart, latest.current.marks, element)] },
      },
      [latest.current.times, latest.current.values],
      element,
    );
    plot.current = chart;
    const observer = new ResizeObserver(([entry]) => {
      if (entry) chart.setSize({ width: Math.floor(entry.contentRect.width), height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [colors, height, isTable]);
  const markKey = JSON.stringify(marks);
  // biome-ignore lint/correctness/useExhaustiveDependencies: new marks redraw the chart; they are read when it draws.
  useEffect(() => {
    plot.current?.setData([times, values]);
  }, [times, values, markKey]);
  return (
    <figure className="min-w-0">
      <figcaption className="mb-2 flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0 flex-1">
          <span className="sr-only">{title}. </span>
          <p id={id} className="text-sm text-muted">
            {summary}
          </p>
        </div>
        <Button isSmall aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          Table
        </Button>
      </figcaption>
      {isTable ? (
        <PointsTable times={times} values={values} unit={unit ?? null} caption={title} />
      ) : (
        <div
          ref={box}
          role="img"
          aria-label={title}
          aria-describedby={id}
          className="min-w-0 overflow-hidden"
          style={{ height }}
        />
      )}
    </figure>
  );
}

const dayText = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** "12:20", and at the first tick of a day its date; in UTC, as all times. */
function tickText(seconds: number, before: number | undefined): string {
  const text = new Date(seconds * 1000).toISOString();
  const isNewDay =
    before === undefined || new Date(before * 1000).getUTCDate() !== new Date(seconds * 1000).getUTCDate();
  return isNewDay ? `${text.slice(11, 16)}\n${dayText.format(seconds * 1000)}` : text.slice(11, 16);
}

/** The scale contains the threshold, so that it can be seen how far away it is. */
function rangeOf(min: number | null, max: number | null, threshold: number | undefined): [number, number] {
  const bounds = [min, max, threshold].filter((value) => value !== null && value !== undefined);
  if (bounds.length === 0) return [0, 1];
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)];
  const margin = (high - low) * 0.08 || Math.abs(high) * 0.1 || 1;
  return [low >= 0 ? Math.max(0, low - margin) : low - margin, high + margin];
}
