import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import { inboxQuery } from "@/queries/inbox.ts";
import { toast } from "@/ui/toast.tsx";

/** Marks messages as read; the page shows it before the service has answered. */
export function useMarkRead() {
  const org = useOrg();
  const client = useQueryClient();
  const { inbox } = keys(org);
  return useMutation({
    mutationFn: (body: Schemas["InboxRead"]) => data(api.POST("/api/v1/inbox/read", { body })),
    onMutate: ({ message_ids, until }) =>
      client.setQueryData<Schemas["Inbox"]>(inboxQuery(org).queryKey, (old) => {
        if (!old) return old;
        const isMarked = ({ id, received_at }: Schemas["InboxMessage"]) =>
          message_ids?.includes(id) || (until !== undefined && received_at <= until);
        return {
          ...old,
          messages: old.messages.map((message) =>
            isMarked(message) ? { ...message, is_read: true } : message,
          ),
        };
      }),
    onError: toast.failed,
    onSettled: () => client.invalidateQueries({ queryKey: inbox }),
  });
}
