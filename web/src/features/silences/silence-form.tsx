import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import { severities } from "@/lib/severity.ts";
import type { Contract } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";
import { toast } from "@/ui/toast.tsx";

type Scope = "contract" | "label" | "severity" | "all";
const hours = [1, 4, 8, 24, 72, 168];

/** Suppresses messages for a contract, a label, a severity or everything. */
export function SilenceForm({
  isOpen,
  onClose,
  contracts,
  labels,
}: {
  isOpen: boolean;
  onClose: () => void;
  contracts: Contract[];
  labels: string[];
}) {
  const org = useOrg();
  const client = useQueryClient();
  const [scope, setScope] = useState<Scope>("contract");
  const create = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string) => String(form.get(name) ?? "");
      const subject = {
        contract: { contract_id: text("contract_id") },
        label: { label: text("label") },
        severity: { severity: text("severity") as "info" },
        all: { all: true as const },
      }[scope];
      const ends_at = new Date(Date.now() + Number(text("hours")) * 3_600_000).toISOString();
      return api.POST("/api/v1/silences", { body: { ...subject, reason: text("reason").trim(), ends_at } });
    },
    onSuccess: () => {
      toast.done("The silence is on. Alerts are still recorded.");
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys(org).silences }),
  });
  const errors = create.error instanceof ApiError ? create.error.fields : {};
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    create.mutate(new FormData(event.currentTarget));
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Silence alerts"
      description="No messages are sent for a while. Alerts are still recorded."
    >
      <form onSubmit={send} className="space-y-4">
        <SelectField
          label="Which alerts"
          value={scope}
          onChange={({ target }) => setScope(target.value as Scope)}
          options={[
            { value: "contract", label: "of one contract", isDisabled: contracts.length === 0 },
            { value: "label", label: "of contracts with a label", isDisabled: labels.length === 0 },
            { value: "severity", label: "of one severity" },
            { value: "all", label: "all alerts of the organisation" },
          ]}
        />
        {scope === "contract" && (
          <SelectField
            name="contract_id"
            label="Contract"
            error={errors.contract_id}
            options={contracts.map(({ id, label }) => ({ value: id, label }))}
          />
        )}
        {scope === "label" && (
          <SelectField
            name="label"
            label="Label"
            options={labels.map((value) => ({ value, label: value }))}
          />
        )}
        {scope === "severity" && (
          <SelectField
            name="severity"
            label="Severity"
            options={severities.toReversed().map((value) => ({ value, label: value }))}
          />
        )}
        <SelectField
          name="hours"
          label="For"
          options={hours.map((value) => ({
            value: String(value),
            label:
              value < 24
                ? `${value} ${value === 1 ? "hour" : "hours"}`
                : `${value / 24} ${value === 24 ? "day" : "days"}`,
          }))}
        />
        <TextField
          name="reason"
          label="Reason"
          required
          error={errors.reason}
          placeholder="Planned upgrade of the vault"
        />
        {create.error && Object.keys(errors).length === 0 && <ErrorText error={create.error} />}
        <Button type="submit" look="primary" isBusy={create.isPending}>
          Silence
        </Button>
      </form>
    </Dialog>
  );
}
