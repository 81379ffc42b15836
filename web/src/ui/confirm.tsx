import * as AlertDialog from "@radix-ui/react-alert-dialog";
import { type ReactNode, useState } from "react";
import { cx } from "@/lib/class-names.ts";
import { Button } from "@/ui/button.tsx";
import { overlayClass, panelClass } from "@/ui/dialog.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { TextField } from "@/ui/form/field.tsx";

type Props = {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** The text of the button that acts, such as "Delete contract". */
  action: string;
  /** The consequence, in a sentence. */
  children: ReactNode;
  /** If set, this text must be typed first. */
  typed?: string;
  onConfirm: () => Promise<unknown>;
};

/** Asks before something that cannot be undone. A failure stays inside the dialog, with its request id. */
export function Confirm({ isOpen, onClose, title, action, children, typed, onConfirm }: Props) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [text, setText] = useState("");
  async function act() {
    setBusy(true);
    setError(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  }
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && !isBusy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content className={cx(panelClass, "max-w-md")}>
          <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description className="mt-1 text-sm text-muted">{children}</AlertDialog.Description>
          {typed && (
            <div className="mt-3">
              <TextField
                label={`Type ${typed} to confirm`}
                value={text}
                onChange={(e) => setText(e.target.value)}
              />
            </div>
          )}
          {error !== undefined && <ErrorText error={error} className="mt-3" />}
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button disabled={isBusy}>Cancel</Button>
            </AlertDialog.Cancel>
            <Button
              look="danger"
              onClick={act}
              isBusy={isBusy}
              disabled={typed !== undefined && text !== typed}
            >
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
