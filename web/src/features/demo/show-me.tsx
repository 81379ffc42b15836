import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, data } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { demoQuery } from "@/queries/demo.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { toast } from "@/ui/toast.tsx";

/** Offers the demo to those who have nothing of it, where the service runs the demo chain. */
export function ShowMe() {
  const org = useOrg();
  const client = useQueryClient();
  const navigate = useNavigate();
  const mayEdit = useCanEdit();
  const { data: demo } = useQuery(demoQuery(org));
  const start = useMutation({
    mutationFn: () => data(api.POST("/api/v1/demo")),
    onSuccess: async () => {
      toast.done("The demo is on. Its first alert arrives here in a few seconds.");
      await navigate({ to: "/inbox" });
    },
    onError: toast.failed,
    onSettled: () => client.invalidateQueries({ queryKey: keys(org).all }),
  });
  if (!demo?.is_available || demo.contracts > 0 || !mayEdit) return null;
  return (
    <Card title="See it work">
      <p className="text-sm text-muted">
        A small demo chain runs beside this service, without a network: a token, a lending pool, a price feed,
        a bridge and more, with an incident every few minutes. One click watches them with the recommended
        rules. You can remove everything again at any time.
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
          Show me
        </Button>
        <p role="status" className="text-sm text-muted">
          {start.isPending && "Inspecting nine contracts and creating their rules…"}
        </p>
      </div>
    </Card>
  );
}
