import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { recipientsOf } from "@/features/rules/recipients.ts";
import { api, data, type Schemas } from "@/lib/api.ts";
import { keys } from "@/lib/keys.ts";
import { useOrg } from "@/lib/session.ts";
import type { Rule } from "@/queries/alerts.ts";
import type { Channel } from "@/queries/channels.ts";
import { Button, buttonClass } from "@/ui/button.tsx";
import { Dialog } from "@/ui/dialog.tsx";
import { ErrorText } from "@/ui/error-text.tsx";

/** Runs a fire drill of a saved rule, after saying who will be notified. */
export function FireDrill({ rule, channels }: { rule: Rule; channels: Channel[] }) {
  const org = useOrg();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const drill = useMutation({
    mutationFn: () =>
      data(api.POST("/api/v1/alerts/{rule_id}/test", { params: { path: { rule_id: rule.id } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys(org).events }),
  });
  function close() {
    setOpen(false);
    drill.reset();
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>Fire drill</Button>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={drill.data ? "The fire drill ran" : `Fire drill of ${rule.name}`}
        description={
          drill.data
            ? "Every message is marked as a test. It takes the same path as a real alert."
            : "Sends a message that is marked as a test, on the same path as a real alert, using the saved rule."
        }
      >
        {drill.data ? (
          <Outcome result={drill.data} onClose={close} />
        ) : (
          <Question
            rule={rule}
            channels={channels}
            isBusy={drill.isPending}
            error={drill.error}
            onRun={() => drill.mutate()}
            onClose={close}
          />
        )}
      </Dialog>
    </>
  );
}

type QuestionProps = {
  rule: Rule;
  channels: Channel[];
  isBusy: boolean;
  error: Error | null;
  onRun: () => void;
  onClose: () => void;
};

function Question({ rule, channels, isBusy, error, onRun, onClose }: QuestionProps) {
  const [now, ...later] = recipientsOf(rule, channels);
  const reached = now?.recipients.filter(({ reason }) => !reason) ?? [];
  const missed = now?.recipients.filter(({ reason }) => reason) ?? [];
  return (
    <div className="space-y-3 text-sm">
      {reached.length === 0 && <p>Nobody will be notified. The drill is only recorded.</p>}
      {reached.length > 0 && (
        <div>
          <p>These channels will be notified now:</p>
          <ul className="mt-1 list-disc pl-5">
            {reached.map(({ id, name, type }) => (
              <li key={id}>
                <b className="font-medium">{name}</b> ({type})
              </li>
            ))}
          </ul>
        </div>
      )}
      {missed.map(({ id, name, reason }) => (
        <p key={id} className="text-muted">
          {name} will not be notified: {reason}.
        </p>
      ))}
      {later.map(({ when, recipients }) => (
        <p key={when} className="text-muted">
          Not part of the drill: {when} without an acknowledgement, an alert notifies{" "}
          {recipients.map(({ name }) => name).join(", ")}.
        </p>
      ))}
      {error && <ErrorText error={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" isBusy={isBusy} onClick={onRun}>
          {reached.length === 0
            ? "Record the drill"
            : `Notify ${reached.length} ${reached.length === 1 ? "channel" : "channels"}`}
        </Button>
      </div>
    </div>
  );
}

const outcomeWords: Record<string, string> = {
  notified: "is being notified",
  shadow_mode: "not notified: the rule is in shadow mode",
  channel_disabled: "not notified: the channel is turned off",
  channel_rejected: "not notified: the provider rejects its messages",
  below_min_severity: "not notified: the channel gets only more severe alerts",
  silenced: "not notified: a silence covers the alert",
  withheld:
    "not notified: the contract is restricted, and the channel was last changed by someone without access",
};

function Outcome({ result, onClose }: { result: Schemas["FireDrill"]; onClose: () => void }) {
  const [now] = result.steps;
  return (
    <div className="space-y-3 text-sm">
      <ul className="list-disc pl-5">
        {now?.recipients.map(({ channel_id, channel_name, outcome }) => (
          <li key={channel_id}>
            <b className="font-medium">{channel_name}</b> {outcomeWords[outcome] ?? outcome}
          </li>
        ))}
        {(now?.recipients.length ?? 0) === 0 && <li>The rule has no channel. The drill was recorded.</li>}
      </ul>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        <Link
          to="/alerts/events/$id"
          params={{ id: result.event.id }}
          className={buttonClass("primary")}
          onClick={onClose}
        >
          See its deliveries
        </Link>
      </div>
    </div>
  );
}
