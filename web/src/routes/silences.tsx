import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { labelText } from "@/features/contracts/columns.tsx";
import { SilenceForm } from "@/features/silences/silence-form.tsx";
import { api, type Schemas } from "@/lib/api.ts";
import { useNow } from "@/lib/browser/now.ts";
import { useShortcuts } from "@/lib/browser/shortcuts.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { silencesQuery } from "@/queries/alerts.ts";
import { contractsQuery } from "@/queries/contracts.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Empty } from "@/ui/empty.tsx";
import { Page } from "@/ui/page.tsx";
import { Time } from "@/ui/time.tsx";
import { toast } from "@/ui/toast.tsx";

type Silence = Schemas["Silence"];

export function SilencesPage() {
  const org = useOrg();
  const mayEdit = useCanEdit();
  const { data: silences } = useSuspenseQuery(silencesQuery(org));
  const { data: contracts } = useSuspenseQuery(contractsQuery(org));
  const [isOpen, setOpen] = useState(false);
  useShortcuts([{ keys: "c", does: "Silence alerts", run: () => setOpen(true) }]);
  const labels = [...new Set(contracts.flatMap((contract) => contract.labels.map(labelText)))].sort();
  const subjectOf = ({ contract_id, label, severity, all }: Silence) =>
    [
      all && "all alerts",
      contracts.find(({ id }) => id === contract_id)?.label,
      label && `label ${label}`,
      severity && `${severity} alerts`,
    ]
      .filter(Boolean)
      .join(", ") || "a deleted contract";
  const add = mayEdit && (
    <Button look="primary" onClick={() => setOpen(true)}>
      Silence alerts
    </Button>
  );
  return (
    <Page
      title="Silences"
      lead="Times in which no messages are sent. Alerts are still recorded."
      actions={silences.length > 0 && add}
    >
      {silences.length === 0 ? (
        <Empty
          title="Nothing is silenced"
          actions={add}
          call={{
            method: "POST",
            path: "/silences",
            body: { severity: "info", reason: "Planned upgrade", ends_at: "2026-12-31T12:00:00Z" },
          }}
        >
          Silence a contract during a planned upgrade, or while someone already works on its alert.
        </Empty>
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {silences.map((silence) => (
            <SilenceItem key={silence.id} silence={silence} subject={subjectOf(silence)} mayEdit={mayEdit} />
          ))}
        </ul>
      )}
      <SilenceForm isOpen={isOpen} onClose={() => setOpen(false)} contracts={contracts} labels={labels} />
    </Page>
  );
}

function SilenceItem({ silence, subject, mayEdit }: { silence: Silence; subject: string; mayEdit: boolean }) {
  const org = useOrg();
  const client = useQueryClient();
  const now = useNow();
  const { id, reason, starts_at, ends_at } = silence;
  const isOver = Date.parse(ends_at) <= now;
  const isLater = Date.parse(starts_at) > now;
  const end = useMutation({
    mutationFn: () => api.DELETE("/api/v1/silences/{silence_id}", { params: { path: { silence_id: id } } }),
    onSuccess: () => toast.done("The silence is over. Messages are sent again."),
    onError: toast.failed,
    onSettled: () => client.invalidateQueries({ queryKey: keys(org).silences }),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <b className="font-medium wrap-break-word">{subject}</b>
          {isOver ? (
            <Badge>over</Badge>
          ) : isLater ? (
            <Badge tone="info">later</Badge>
          ) : (
            <Badge tone="warning">on</Badge>
          )}
        </p>
        <p className="text-sm wrap-break-word text-muted">{reason}</p>
        <p className="text-sm text-muted">
          until <Time at={ends_at} isAbsolute />
        </p>
      </div>
      {mayEdit && !isOver && (
        <Button isBusy={end.isPending} onClick={() => end.mutate()}>
          End now
        </Button>
      )}
    </li>
  );
}
