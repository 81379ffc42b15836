import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { SilenceDialog } from "@/features/alerts/silence-dialog.tsx";
import { canAcknowledge } from "@/features/alerts/status.tsx";
import { useAcknowledge } from "@/features/alerts/use-acknowledge.ts";
import { useShortcuts } from "@/lib/browser/shortcuts.ts";
import { useCanEdit } from "@/lib/session.ts";
import type { AlertEvent } from "@/queries/alerts.ts";
import { Button, buttonClass } from "@/ui/button.tsx";

/** What can be done about an alert. On a phone it stays at the bottom of the screen, within reach of the thumb. */
export function EventActions({
  event,
  contractLabel,
}: {
  event: AlertEvent;
  contractLabel: string | undefined;
}) {
  const [isSilencing, setSilencing] = useState(false);
  const acknowledge = useAcknowledge();
  const mayEdit = useCanEdit();
  const isOpen = canAcknowledge(event);
  const press = () => isOpen && mayEdit && !acknowledge.isPending && acknowledge.mutate(event.id);
  useShortcuts([
    { keys: "a", does: "Acknowledge this alert", run: press },
    { keys: "s", does: "Silence the contract", run: () => event.contract_id && setSilencing(true) },
  ]);
  if (!mayEdit) return <p className="text-sm text-muted">Viewers cannot acknowledge or silence alerts.</p>;
  return (
    <>
      <div className="fixed inset-x-0 bottom-14 z-20 flex gap-2 border-t border-line bg-surface p-2 *:flex-1 sm:static sm:border-0 sm:bg-transparent sm:p-0 sm:*:flex-none">
        {isOpen && (
          <Button look="primary" onClick={press} isBusy={acknowledge.isPending} aria-keyshortcuts="a">
            Acknowledge
          </Button>
        )}
        {event.contract_id && (
          <Button onClick={() => setSilencing(true)} aria-keyshortcuts="s">
            Silence
          </Button>
        )}
        {event.rule_id && (
          <Link to="/rules/$id" params={{ id: event.rule_id }} className={buttonClass()}>
            Edit rule
          </Link>
        )}
      </div>
      {event.contract_id && (
        <SilenceDialog
          isOpen={isSilencing}
          onClose={() => setSilencing(false)}
          contract={{ id: event.contract_id, label: contractLabel ?? "this contract" }}
        />
      )}
    </>
  );
}
