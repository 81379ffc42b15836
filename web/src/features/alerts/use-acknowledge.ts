import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { writeEvent } from "@/lib/live/apply-message.ts";
import { useOrg } from "@/lib/session.ts";
import { toast } from "@/ui/toast.tsx";

/** Accepts an alert: its reminders stop, and others see who takes care of it. */
export function useAcknowledge() {
  const client = useQueryClient();
  const org = useOrg();
  return useMutation({
    mutationFn: (event_id: string) =>
      data(api.POST("/api/v1/alerts/events/{event_id}/acknowledge", { params: { path: { event_id } } })),
    onSuccess: (event) => {
      writeEvent(client, org, event);
      void client.invalidateQueries({ queryKey: [...keys(org).events, "open"] });
      toast.done("Acknowledged. Reminders for this alert stop.");
    },
    onError: toast.failed,
  });
}
