import type { ReactNode } from "react";
import { cx } from "@/lib/class-names.ts";

const tones = {
  neutral: "bg-raised text-muted",
  ok: "bg-ok-bg text-ok",
  info: "bg-info-bg text-info",
  warning: "bg-warning-bg text-warning",
  critical: "bg-critical-bg text-critical",
};
export type Tone = keyof typeof tones;

/** A small coloured label that shows a state or a property. A long one is cut where there is no room. */
export function Badge({
  tone = "neutral",
  icon,
  children,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={cx(
        "inline-flex h-5 max-w-full items-center gap-1 rounded px-1.5 text-xs font-medium whitespace-nowrap",
        tones[tone],
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}
