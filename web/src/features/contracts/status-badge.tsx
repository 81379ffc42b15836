import type { Contract } from "@/queries/contracts.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";

const looks: Record<Contract["status"], { tone: Tone; label: string }> = {
  MONITORING: { tone: "ok", label: "monitoring" },
  PENDING: { tone: "warning", label: "no targets" },
  PAUSED: { tone: "neutral", label: "paused" },
  ERROR: { tone: "critical", label: "error" },
};

export function ContractStatus({ status }: Pick<Contract, "status">) {
  const { tone, label } = looks[status];
  return <Badge tone={tone}>{label}</Badge>;
}
