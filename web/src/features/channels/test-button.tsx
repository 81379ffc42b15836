import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import type { Channel } from "@/queries/channels.ts";
import { Button } from "@/ui/button.tsx";
import { toast } from "@/ui/toast.tsx";

/** Sends a message that is marked as a test, and says what the provider answered. */
export function TestButton({ channel }: { channel: Pick<Channel, "id" | "name"> }) {
  const org = useOrg();
  const client = useQueryClient();
  const test = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/channels/{channel_id}/test", { params: { path: { channel_id: channel.id } } }),
    onSuccess: () => toast.done(`The test message to ${channel.name} was accepted.`),
    onError: toast.failed,
    onSettled: () => client.invalidateQueries({ queryKey: keys(org).channels }),
  });
  return (
    <Button isBusy={test.isPending} onClick={() => test.mutate()}>
      {test.isPending ? "Sending…" : "Send test"}
    </Button>
  );
}
