import { type FormEvent, useState } from "react";
import { switchOrg } from "@/app/shell/switch-org.ts";
import { api, data } from "@/lib/api.ts";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";

export function CreateOrg({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  async function create(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      const name = String(new FormData(event.currentTarget).get("name"));
      const { id } = await data(api.POST("/api/v1/orgs", { body: { name } }));
      await switchOrg(id);
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create organisation"
      description="It has its own contracts, rules, channels and members."
    >
      <form onSubmit={create} className="space-y-4">
        <TextField name="name" label="Name" required maxLength={100} autoFocus />
        {error !== undefined && <ErrorText error={error} />}
        <Button type="submit" look="primary" isBusy={isBusy}>
          Create and switch to it
        </Button>
      </form>
    </Dialog>
  );
}
