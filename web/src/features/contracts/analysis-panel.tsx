import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { formatDuration } from "@/lib/text/units.ts";
import { analysisQuery } from "@/queries/contracts.ts";
import { Address } from "@/ui/address.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SeverityIcon } from "@/ui/severity.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";

type Analysis = Schemas["ContractAnalysis"];

/** What the contract is, who can change it, and what is worth watching. */
export function AnalysisPanel({ contract_id }: { contract_id: string }) {
  const { data: analysis, error } = useQuery(analysisQuery(useOrg(), contract_id));
  if (error) return <ErrorText error={error} />;
  if (!analysis) return <Skeleton />;
  return (
    <div className="space-y-4">
      <Card title="Findings">
        <p className="mb-3 text-sm text-muted">
          {[analysis.contract_type, analysis.category, ...analysis.standards].filter(Boolean).join(" · ")}
        </p>
        {analysis.findings.length === 0 && <p className="text-sm">Nothing stands out.</p>}
        <ul className="divide-y divide-line">
          {analysis.findings.map((finding) => (
            <Finding key={finding.id} finding={finding} contract_id={contract_id} />
          ))}
        </ul>
        {analysis.problems.map((problem) => (
          <p key={problem} className="mt-2 text-sm text-warning">
            {problem}
          </p>
        ))}
      </Card>
      <Card title="Who controls it">
        {analysis.powers.length === 0 && (
          <p className="text-sm text-muted">No privileged account was found.</p>
        )}
        <ul className="space-y-2 text-sm">
          {analysis.powers.map(({ power, role, holder }) => (
            <li key={`${power} ${role} ${holder.address}`}>
              <b className="font-medium">{power.replaceAll("_", " ")}</b> {role}{" "}
              <Badge>{holderText(holder)}</Badge> <Address value={holder.address} isFull />
            </li>
          ))}
        </ul>
      </Card>
      {analysis.privileged_functions.length > 0 && (
        <Card title="Privileged functions">
          <ul className="space-y-1 text-sm">
            {analysis.privileged_functions.map(({ signature, selector, privilege }) => (
              <li key={selector} className="flex flex-wrap items-center gap-2">
                <code className="break-all">{signature}</code> <Badge>{privilege}</Badge>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}

type Holder = { kind: string; threshold?: number; owners?: string[]; delay_seconds?: number };

function holderText({ kind, threshold, owners, delay_seconds }: Holder): string {
  if (kind === "safe") return `multisig ${threshold} of ${owners?.length}`;
  if (kind === "timelock") return `timelock ${formatDuration(delay_seconds ?? 0)}`;
  return kind === "eoa" ? "single key" : "contract";
}

function Finding({ finding, contract_id }: { finding: Analysis["findings"][number]; contract_id: string }) {
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const { severity, title, detail, target, is_watched } = finding;
  const watch = useMutation({
    mutationFn: (suggested: NonNullable<typeof target>) => {
      // A suggested config is one of its type.
      const body = suggested as Schemas["TargetCreate"];
      return api.POST("/api/v1/contracts/{contract_id}/targets", { params: { path: { contract_id } }, body });
    },
    onSuccess: () => toast.done("It is measured from the next block. Add a rule to be notified."),
    onError: toast.failed,
    onSettled: () => client.invalidateQueries({ queryKey: keys(org).contract(contract_id) }),
  });
  return (
    <li className="flex items-start gap-2 py-2 first:pt-0 last:pb-0">
      <span className="mt-0.5">
        <SeverityIcon severity={severity} />
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-medium">{title}</p>
        <p className="wrap-anywhere text-muted">{detail}</p>
      </div>
      {is_watched ? (
        <Badge tone="ok">watched</Badge>
      ) : (
        target &&
        mayEdit && (
          <Button isSmall isBusy={watch.isPending} onClick={() => watch.mutate(target)}>
            Watch this
          </Button>
        )
      )}
    </li>
  );
}
