import type uPlot from "uplot";
import { tokenColor } from "@/ui/chart/token-color.ts";

/** What is drawn over the line: a threshold, moments, and spans in which a rule would have fired. Times in seconds. */
export type Marks = {
  threshold?: number | undefined;
  moments?: number[];
  spans?: { from: number; to: number }[];
};

/** Draws in device pixels, as uPlot's hooks do. */
export function drawMarks(
  chart: uPlot,
  { threshold, moments = [], spans = [] }: Marks,
  container: HTMLElement,
): void {
  const { ctx, bbox } = chart;
  const ratio = devicePixelRatio;
  const critical = tokenColor("--critical", container);
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  ctx.strokeStyle = critical;
  ctx.fillStyle = critical;
  ctx.lineWidth = ratio;
  ctx.globalAlpha = 0.14;
  for (const { from, to } of spans) {
    const left = chart.valToPos(from, "x", true);
    ctx.fillRect(left, bbox.top, Math.max(2 * ratio, chart.valToPos(to, "x", true) - left), bbox.height);
  }
  ctx.globalAlpha = 1;
  for (const moment of moments) line(ctx, chart.valToPos(moment, "x", true), bbox.top, 0, bbox.height);
  if (threshold !== undefined) {
    ctx.setLineDash([4 * ratio, 4 * ratio]);
    line(ctx, bbox.left, chart.valToPos(threshold, "y", true), bbox.width, 0);
  }
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x: number, y: number, dx: number, dy: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(x + dx, y + dy);
  ctx.stroke();
}
