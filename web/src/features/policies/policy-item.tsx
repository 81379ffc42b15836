import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import type { Policy } from "@/queries/policies.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { SeverityBadge } from "@/ui/severity.tsx";
import { PolicyProgress } from "./policy-progress.tsx";

const statuses: Record<Policy["status"], { tone: Tone; label: string }> = {
  applied: { tone: "ok", label: "applied" },
  applying: { tone: "info", label: "being applied" },
  incomplete: { tone: "warning", label: "incomplete" },
  disabled: { tone: "neutral", label: "off" },
};

/** A policy, how far it is applied, and which contracts it cannot be applied to. */
export function PolicyItem({ policy, measures }: { policy: Policy; measures: string }) {
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const [isDeleting, setDeleting] = useState(false);
  const { applied } = policy.progress;
  const { tone, label } = statuses[policy.status];
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60 space-y-1">
        <p className="flex flex-wrap items-center gap-2">
          <Link
            to="/policies/$id"
            params={{ id: policy.id }}
            className="font-medium wrap-break-word hover:underline"
          >
            {policy.name}
          </Link>
          <Badge tone={tone}>{label}</Badge>
          <SeverityBadge severity={policy.rule.severity} />
        </p>
        <p className="text-sm text-muted">
          {measures} on {selectorText(policy.selector)}
        </p>
        <PolicyProgress policy={policy} />
      </div>
      {mayEdit && (
        <Button look="danger" isSmall aria-label={`Delete ${policy.name}`} onClick={() => setDeleting(true)}>
          Delete
        </Button>
      )}
      <Confirm
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${policy.name}?`}
        action="Delete policy"
        onConfirm={async () => {
          await api.DELETE("/api/v1/policies/{policy_id}", { params: { path: { policy_id: policy.id } } });
          await client.invalidateQueries({ queryKey: keys(org).policies });
          await client.invalidateQueries({ queryKey: keys(org).rules });
        }}
      >
        Its rules on {applied} {applied === 1 ? "contract" : "contracts"} are removed, and their open alerts
        end. Past alerts stay in the history.
      </Confirm>
    </li>
  );
}

/** The selector in words: "contracts with the label treasury on ethereum". */
function selectorText({ labels, chains, categories, contract_types }: Policy["selector"]): string {
  const parts = [
    contract_types ? `contracts of the type ${contract_types.join(" or ")}` : "contracts",
    labels && `with the label ${labels.join(" and ")}`,
    chains && `on ${chains.join(" or ")}`,
    categories && `in ${categories.join(" or ")}`,
  ].filter(Boolean);
  return parts.length === 1 && !contract_types ? "all contracts" : parts.join(" ");
}
