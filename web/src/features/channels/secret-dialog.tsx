import { useEffect, useState } from "react";
import { Button } from "@/ui/button.tsx";
import { CopyButton } from "@/ui/copy-button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { CheckField } from "@/ui/form/field.tsx";

/** A secret that is shown once: it closes only after it was saved. */
export function SecretDialog({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  const [isSaved, setSaved] = useState(false);
  const isOpen = secret !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isOpen]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={() => isSaved && onClose()}
      title="Save the signing secret"
      description="It is shown once. Your receiver checks the signature of messages with it."
    >
      <p className="mb-3 flex items-center gap-2 rounded bg-raised p-2">
        <code className="min-w-0 flex-1 text-sm break-all">{secret}</code>
        <CopyButton value={secret ?? ""} label="Copy the secret" />
      </p>
      <CheckField
        label="I saved it"
        checked={isSaved}
        onChange={({ target }) => setSaved(target.checked)}
        className="mb-3"
      />
      <Button look="primary" disabled={!isSaved} onClick={onClose}>
        Close
      </Button>
    </Dialog>
  );
}
