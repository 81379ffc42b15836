import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";
import { toast } from "@/ui/toast.tsx";

const spans = [
  { value: "3600", label: "1 hour" },
  { value: "14400", label: "4 hours" },
  { value: "28800", label: "8 hours" },
  { value: "86400", label: "1 day" },
  { value: "604800", label: "7 days" },
];

type Props = { isOpen: boolean; onClose: () => void; contract: { id: string; label: string } };

/** Suppresses the messages about one contract for a while. Alerts are still recorded. */
export function SilenceDialog({ isOpen, onClose, contract }: Props) {
  const org = useOrg();
  const client = useQueryClient();
  const [seconds, setSeconds] = useState("3600");
  const silence = useMutation({
    mutationFn: (reason: string) => {
      const ends_at = new Date(Date.now() + Number(seconds) * 1000).toISOString();
      return api.POST("/api/v1/silences", { body: { contract_id: contract.id, reason, ends_at } });
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys(org).silences });
      toast.done(`${contract.label} is silenced for ${spans.find(({ value }) => value === seconds)?.label}.`);
      onClose();
    },
  });
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    silence.mutate(String(new FormData(event.currentTarget).get("reason")));
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Silence ${contract.label}`}
      description="No messages about this contract are sent. Alerts are still recorded."
    >
      <form onSubmit={send} className="space-y-4">
        <SelectField
          label="For"
          value={seconds}
          onChange={({ target }) => setSeconds(target.value)}
          options={spans}
        />
        <TextField
          name="reason"
          label="Reason"
          defaultValue="Being worked on"
          help="Others see it in the list of silences."
        />
        {silence.error && <ErrorText error={silence.error} />}
        <Button type="submit" look="primary" isBusy={silence.isPending}>
          Silence
        </Button>
      </form>
    </Dialog>
  );
}
