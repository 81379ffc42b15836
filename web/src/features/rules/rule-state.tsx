import type { Rule } from "@/queries/alerts.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";

const looks: Record<Rule["state"], { tone: Tone; label: string }> = {
  ok: { tone: "ok", label: "ok" },
  pending: { tone: "warning", label: "about to fire" },
  firing: { tone: "critical", label: "firing" },
  no_data: { tone: "warning", label: "no data" },
  error: { tone: "critical", label: "error" },
};

export function RuleState({ state, is_enabled, mode }: Pick<Rule, "state" | "is_enabled" | "mode">) {
  if (!is_enabled) return <Badge>off</Badge>;
  const { tone, label } = looks[state];
  return (
    <span className="inline-flex gap-1">
      <Badge tone={tone}>{label}</Badge>
      {mode === "shadow" && <Badge>shadow</Badge>}
    </span>
  );
}
