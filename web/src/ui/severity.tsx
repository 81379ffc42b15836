import { cx } from "@/lib/class-names.ts";
import type { Severity } from "@/lib/severity.ts";
import { Badge } from "@/ui/badge.tsx";
import { CircleCheck, Info, OctagonAlert, TriangleAlert } from "@/ui/icons.ts";

const icons = { critical: OctagonAlert, warning: TriangleAlert, info: Info, ok: CircleCheck };

/** Severity as colour, shape and word. Only a critical alert that is firing is filled. */
export function SeverityBadge({ severity, isFilled = false }: { severity: Severity; isFilled?: boolean }) {
  const Icon = icons[severity];
  if (isFilled && severity === "critical")
    return (
      <span className="inline-flex h-5 items-center gap-1 rounded bg-critical px-1.5 text-xs font-semibold whitespace-nowrap text-on-critical">
        <Icon size={13} aria-hidden />
        critical
      </span>
    );
  return (
    <Badge tone={severity} icon={<Icon size={13} aria-hidden />}>
      {severity}
    </Badge>
  );
}

/** The icon alone, where the word is beside it. */
export function SeverityIcon({ severity, size = 16 }: { severity: Severity | "ok"; size?: number }) {
  const Icon = icons[severity];
  const colors = { critical: "text-critical", warning: "text-warning", info: "text-info", ok: "text-ok" };
  return <Icon size={size} aria-hidden className={cx("shrink-0", colors[severity])} />;
}
