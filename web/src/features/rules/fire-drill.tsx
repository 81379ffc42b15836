import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api.ts";
import { Button } from "@/ui/button.tsx";
import { messageOf } from "@/ui/error-text.tsx";
import { toast } from "@/ui/toast.tsx";

/** Sends a test message to the channels of the rule, to see that people are reached. */
export function FireDrill({ channels }: { channels: { id: string; name: string }[] }) {
  const drill = useMutation({
    mutationFn: async () => {
      for (const { id, name } of channels) {
        await api.POST("/api/v1/channels/{channel_id}/test", { params: { path: { channel_id: id } } }).then(
          () => toast.done(`The test message to ${name} was accepted.`),
          (error) => toast.failed(new Error(`${name}: ${messageOf(error)}`)),
        );
      }
    },
  });
  if (channels.length === 0) return null;
  return (
    <Button isBusy={drill.isPending} onClick={() => drill.mutate()}>
      Fire drill
    </Button>
  );
}
