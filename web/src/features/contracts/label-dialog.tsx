import { type FormEvent, useState } from "react";
import { Button } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";

type Label = { value: string; key?: string };

/** Asks for a label, such as "treasury" or "team:core". */
export function LabelDialog({
  isOpen,
  onClose,
  onAdd,
}: {
  isOpen: boolean;
  onClose: () => void;
  onAdd: (label: Label) => Promise<unknown>;
}) {
  const [error, setError] = useState<unknown>();
  async function add(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const [first = "", ...rest] = String(new FormData(event.currentTarget).get("label")).trim().split(":");
    try {
      await onAdd(rest.length > 0 ? { key: first, value: rest.join(":") } : { value: first });
      onClose();
    } catch (failure) {
      setError(failure);
    }
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Add a label">
      <form onSubmit={add} className="space-y-4">
        <TextField
          name="label"
          label="Label"
          required
          autoFocus
          maxLength={101}
          help="A word, or a name and a value such as team:core."
        />
        {error !== undefined && <ErrorText error={error} />}
        <Button type="submit" look="primary">
          Add label
        </Button>
      </form>
    </Dialog>
  );
}
