import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { labelText } from "@/features/contracts/columns.tsx";
import { LabelDialog } from "@/features/contracts/label-dialog.tsx";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg, useSession } from "@/lib/session.ts";
import { accessQuery, type Contract } from "@/queries/contracts.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";
import { toast } from "@/ui/toast.tsx";

/** Labels, and the people who may see the contract. */
export function AccessPanel({ contract }: { contract: Contract }) {
  return (
    <div className="space-y-4">
      <LabelsCard contract={contract} />
      <GrantsCard contract_id={contract.id} />
    </div>
  );
}

function LabelsCard({ contract }: { contract: Contract }) {
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const [isAdding, setAdding] = useState(false);
  const params = { path: { contract_id: contract.id } };
  const refresh = () => client.invalidateQueries({ queryKey: keys(org).contracts });
  const remove = useMutation({
    mutationFn: (label_id: string) =>
      api.DELETE("/api/v1/contracts/{contract_id}/labels/{label_id}", {
        params: { path: { contract_id: contract.id, label_id } },
      }),
    onError: toast.failed,
    onSettled: refresh,
  });
  return (
    <Card title="Labels" actions={mayEdit && <Button onClick={() => setAdding(true)}>Add label</Button>}>
      {contract.labels.length === 0 && (
        <p className="text-sm text-muted">
          No labels. They group contracts for filters, silences and searches.
        </p>
      )}
      <ul className="flex flex-wrap gap-2">
        {contract.labels.map((label) => (
          <li key={label.id} className="inline-flex items-center gap-1">
            <Badge>{labelText(label)}</Badge>
            {mayEdit && (
              <Button
                isSmall
                look="plain"
                aria-label={`Remove the label ${labelText(label)}`}
                onClick={() => remove.mutate(label.id)}
              >
                Remove
              </Button>
            )}
          </li>
        ))}
      </ul>
      <LabelDialog
        isOpen={isAdding}
        onClose={() => setAdding(false)}
        onAdd={async (body) => {
          await api.POST("/api/v1/contracts/{contract_id}/labels", { params, body });
          await refresh();
        }}
      />
    </Card>
  );
}

function GrantsCard({ contract_id }: { contract_id: string }) {
  const { org } = useSession();
  const client = useQueryClient();
  const queryKey = keys(org.id).contractPart(contract_id, "access");
  const { data: grants = [], error } = useQuery(accessQuery(org.id, contract_id));
  const isAdmin = org.role === "admin";
  const settle = { onError: toast.failed, onSettled: () => client.invalidateQueries({ queryKey }) };
  const add = useMutation({
    mutationFn: (body: { email: string; role: "viewer" | "editor" }) =>
      api.POST("/api/v1/contracts/{contract_id}/access", { params: { path: { contract_id } }, body }),
    ...settle,
  });
  const revoke = useMutation({
    mutationFn: (user_id: string) =>
      api.DELETE("/api/v1/contracts/{contract_id}/access/{user_id}", {
        params: { path: { contract_id, user_id } },
      }),
    ...settle,
  });
  function grant(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    add.mutate({
      email: String(form.get("email")),
      role: form.get("role") === "editor" ? "editor" : "viewer",
    });
    event.currentTarget.reset();
  }
  return (
    <Card title="Access">
      {error && <ErrorText error={error} />}
      <p className="mb-3 text-sm text-muted">
        {grants.length === 0
          ? "Every member of the organisation sees this contract. After the first grant, only admins and the people listed here do."
          : "Only admins and these people see this contract, its alerts and its messages."}
      </p>
      <ul className="mb-3 space-y-1">
        {grants.map(({ id, email, role, user_id }) => (
          <li key={id} className="flex flex-wrap items-center gap-2 text-sm">
            {email} <Badge>{role}</Badge>
            {isAdmin && (
              <Button
                isSmall
                look="plain"
                aria-label={`Revoke the access of ${email}`}
                onClick={() => revoke.mutate(user_id)}
              >
                Revoke
              </Button>
            )}
          </li>
        ))}
      </ul>
      {isAdmin && (
        <form onSubmit={grant} className="flex flex-wrap items-end gap-2">
          <TextField name="email" type="email" label="E-mail of a member" required />
          <SelectField
            name="role"
            label="May"
            options={[
              { value: "viewer", label: "see it" },
              { value: "editor", label: "see and change it" },
            ]}
          />
          <Button type="submit" isBusy={add.isPending}>
            Grant access
          </Button>
        </form>
      )}
    </Card>
  );
}
