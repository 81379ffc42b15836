import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useCanEdit, useOrg } from "@/lib/session.ts";
import { type Delivery, type DeliveryFilter, deliveriesQuery } from "@/queries/channels.ts";
import { Badge, type Tone } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { ErrorText } from "@/ui/error-text.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { Time } from "@/ui/time.tsx";
import { toast } from "@/ui/toast.tsx";

const tones: Record<Delivery["status"], Tone> = {
  queued: "warning",
  sending: "info",
  sent: "ok",
  failed: "critical",
  skipped: "neutral",
  silenced: "neutral",
};

/** The messages about an alert or to a channel, attempt by attempt. */
export function Deliveries({ filter, none }: { filter: DeliveryFilter; none: string }) {
  const org = useOrg();
  const { data, error } = useQuery(deliveriesQuery(org, filter));
  if (error) return <ErrorText error={error} />;
  if (!data) return <Skeleton rows={2} />;
  if (data.length === 0) return <p className="text-sm text-muted">{none}</p>;
  return (
    <ul className="divide-y divide-line">
      {data.map((delivery) => (
        <DeliveryItem key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

function DeliveryItem({ delivery }: { delivery: Delivery }) {
  const org = useOrg();
  const client = useQueryClient();
  const mayEdit = useCanEdit();
  const { id, channel_name, channel_type, kind, status, attempts, last_error, next_attempt_at, created_at } =
    delivery;
  const replay = useMutation({
    mutationFn: () =>
      api.POST("/api/v1/deliveries/{delivery_id}/replay", { params: { path: { delivery_id: id } } }),
    onSuccess: () => toast.done(`The message to ${channel_name} is sent again.`),
    onError: toast.failed,
    onSettled: () => client.invalidateQueries({ queryKey: keys(org).deliveries }),
  });
  return (
    <li className="py-2.5 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <b className="font-medium">{channel_name}</b>
        <span className="text-sm text-muted">{channel_type}</span>
        <Badge tone={tones[status]}>{status}</Badge>
        <span className="text-sm text-muted">
          {kind}, <Time at={created_at} />
        </span>
        {mayEdit && status !== "queued" && status !== "sending" && (
          <Button isSmall className="ml-auto" isBusy={replay.isPending} onClick={() => replay.mutate()}>
            Send again
          </Button>
        )}
      </div>
      {last_error && status !== "sent" && <p className="mt-1 text-sm wrap-break-word">{last_error}</p>}
      {next_attempt_at && status === "queued" && (
        <p className="mt-1 text-sm text-muted">
          Next attempt at <Time at={next_attempt_at} isAbsolute />
        </p>
      )}
      {attempts.length > 0 && (
        <ol className="mt-1 space-y-0.5 text-sm text-muted">
          {attempts.map(({ attempt, result, latency_ms, status_code, error, excerpt, started_at }) => (
            <li key={attempt} className="wrap-break-word">
              Attempt {attempt}: {result}
              {status_code !== null && `, status ${status_code}`}
              {latency_ms !== null && `, ${(latency_ms / 1000).toFixed(1)} s`},{" "}
              <Time at={started_at} isAbsolute />
              {error && <span className="text-text"> {error}</span>}
              {excerpt && <code className="block text-xs">{excerpt}</code>}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
