import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import type { Contract } from "@/queries/contracts.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";

export function RenameDialog({
  isOpen,
  onClose,
  contract,
}: {
  isOpen: boolean;
  onClose: () => void;
  contract: Contract;
}) {
  const org = useOrg();
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (label: string) =>
      api.PATCH("/api/v1/contracts/{contract_id}", {
        params: { path: { contract_id: contract.id } },
        body: { label },
      }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys(org).contracts });
      onClose();
    },
  });
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    rename.mutate(String(new FormData(event.currentTarget).get("label")));
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Rename the contract">
      <form onSubmit={send} className="space-y-4">
        <TextField
          name="label"
          label="Name"
          defaultValue={contract.label}
          required
          maxLength={100}
          autoFocus
        />
        {rename.error && <ErrorText error={rename.error} />}
        <Button type="submit" look="primary" isBusy={rename.isPending}>
          Rename
        </Button>
      </form>
    </Dialog>
  );
}
