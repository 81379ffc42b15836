import { useState } from "react";
import { areShortcutsOff, setShortcutsOff, useActiveShortcuts } from "@/lib/browser/shortcuts.ts";
import { Dialog } from "@/ui/dialog.tsx";
import { CheckField } from "@/ui/form/field.tsx";

/** The keys that work on the current page. */
export function ShortcutSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const shortcuts = useActiveShortcuts();
  const [isOff, setOff] = useState(areShortcutsOff);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Keyboard shortcuts"
      description="The keys that work on this page. Press two keys one after the other."
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5 text-sm">
        <Row keys="Ctrl K" does="Search or jump, from anywhere" />
        {shortcuts.map(({ keys, does }) => (
          <Row key={keys} keys={keys} does={does} />
        ))}
        <Row keys="j k x" does="In a table: next row, previous row, select" />
      </dl>
      <CheckField
        className="mt-4"
        label="Turn off single-key shortcuts"
        checked={isOff}
        onChange={({ target }) => {
          setOff(target.checked);
          setShortcutsOff(target.checked);
        }}
      />
    </Dialog>
  );
}

function Row({ keys, does }: { keys: string; does: string }) {
  return (
    <>
      <dt className="flex gap-1">
        {keys.split(" ").map((key) => (
          <kbd
            key={key}
            className="min-w-6 rounded border border-line-strong bg-raised px-1.5 text-center font-mono text-xs leading-5"
          >
            {key}
          </kbd>
        ))}
      </dt>
      <dd>{does}</dd>
    </>
  );
}
