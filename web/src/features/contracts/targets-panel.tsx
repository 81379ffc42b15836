import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { AddTarget } from "@/features/contracts/add-target.tsx";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { type Contract, type Target, targetsQuery } from "@/queries/contracts.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";
import { Button, IconButton } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { Confirm } from "@/ui/confirm.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Switch } from "@/ui/form/switch.tsx";
import { Trash2 } from "@/ui/icons.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";

const tones: Record<Target["status"], Tone> = {
  ok: "ok",
  no_data: "warning",
  error: "critical",
  unsupported: "critical",
};

/** What is measured on the contract. */
export function TargetsPanel({ contract }: { contract: Contract }) {
  const org = useOrg();
  const { data: targets, error } = useQuery(targetsQuery(org, contract.id));
  const [isAdding, setAdding] = useState(false);
  const mayEdit = useCanEdit();
  if (error) return <ErrorText error={error} />;
  if (!targets) return <Skeleton />;
  return (
    <>
      <Card
        title="Targets"
        isFlush
        actions={mayEdit && <Button onClick={() => setAdding(true)}>Add target</Button>}
      >
        {targets.length === 0 && <p className="p-4 text-sm text-muted">Nothing is measured yet.</p>}
        <ul className="divide-y divide-line">
          {targets.map((target) => (
            <TargetItem key={target.id} target={target} mayEdit={mayEdit} />
          ))}
        </ul>
      </Card>
      <AddTarget isOpen={isAdding} onClose={() => setAdding(false)} contract={contract} />
    </>
  );
}

function TargetItem({ target, mayEdit }: { target: Target; mayEdit: boolean }) {
  const org = useOrg();
  const client = useQueryClient();
  const [isDeleting, setDeleting] = useState(false);
  const queryKey = keys(org).contractPart(target.contract_id, "targets");
  const path = { params: { path: { target_id: target.id } } };
  const refresh = () => client.invalidateQueries({ queryKey: keys(org).contract(target.contract_id) });
  const toggle = useMutation({
    mutationFn: (is_enabled: boolean) =>
      api.PATCH("/api/v1/targets/{target_id}", { ...path, body: { is_enabled } }),
    onMutate: async (is_enabled) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData<Target[]>(queryKey);
      client.setQueryData<Target[]>(queryKey, (old) =>
        old?.map((item) => (item.id === target.id ? { ...item, is_enabled } : item)),
      );
      return before;
    },
    onError: (error, _, before) => {
      client.setQueryData(queryKey, before);
      toast.failed(error);
    },
    onSettled: refresh,
  });
  const config = Object.entries(target.config);
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2">
          <b className="font-medium">{target.name}</b>
          <Badge tone={tones[target.status]}>{target.status.replace("_", " ")}</Badge>
        </p>
        <p className="text-xs wrap-break-word text-muted">
          {target.target_type}
          {config.length > 0 &&
            ` · ${config.map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`).join(", ")}`}
        </p>
        {target.status_reason && (
          <p className="text-sm wrap-break-word text-warning">{target.status_reason}</p>
        )}
      </div>
      {mayEdit && (
        <>
          <Switch
            label={`Measure ${target.name}`}
            isOn={target.is_enabled}
            onChange={(isOn) => toggle.mutate(isOn)}
          />
          <IconButton label={`Delete ${target.name}`} onClick={() => setDeleting(true)}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        </>
      )}
      <Confirm
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${target.name}?`}
        action="Delete target"
        onConfirm={async () => {
          await api.DELETE("/api/v1/targets/{target_id}", path);
          await refresh();
        }}
      >
        Its values and its rules are deleted. Past alerts stay in the history.
      </Confirm>
    </li>
  );
}
