import { Link } from "@tanstack/react-router";
import { EscalationFields } from "@/features/rules/escalation-fields.tsx";
import type { RuleForm } from "@/features/rules/form-values.ts";
import type { Channel } from "@/queries/channels.ts";
import { CheckField, SelectField, TextArea, TextField } from "@/ui/form/field.tsx";

type Props = {
  form: RuleForm;
  set: (change: Partial<RuleForm>) => void;
  errors: Record<string, string>;
  channels: Channel[];
};

/** The fields that are folded; they unfold when one has an error. */
const timingFields = ["cooldown_seconds", "resolve_after_seconds", "renotify_seconds", "message_template"];

/** Who is notified, how urgently, and how often. */
export function NotifyFields({ form, set, errors, channels }: Props) {
  const toggle = (id: string) =>
    set({
      channel_ids: form.channel_ids.includes(id)
        ? form.channel_ids.filter((channelId) => channelId !== id)
        : [...form.channel_ids, id],
    });
  const problem = errors.channel_id ?? errors.channel_ids ?? errors.record_only;
  const number = (name: "cooldown_seconds" | "resolve_after_seconds" | "renotify_seconds") => ({
    value: form[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
    error: errors[name],
    inputMode: "numeric" as const,
  });
  return (
    <div className="space-y-4">
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="Severity"
          value={form.severity}
          onChange={({ target }) => set({ severity: target.value as RuleForm["severity"] })}
          options={[
            { value: "critical", label: "critical: someone must look now" },
            { value: "warning", label: "warning: someone must look today" },
            { value: "info", label: "info: for the record" },
          ]}
        />
        <TextField
          label="Name of the rule"
          value={form.name}
          onChange={({ target }) => set({ name: target.value })}
          error={errors.name}
          maxLength={200}
          placeholder="From its condition"
        />
      </div>
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">Notify</legend>
        {channels.length === 0 && (
          <p className="text-sm text-muted">
            There is no channel yet, so the rule only records alerts.{" "}
            <Link to="/channels/new" className="text-accent underline">
              Add a channel
            </Link>
          </p>
        )}
        <div className="grid gap-2 sm:grid-cols-2">
          {channels.map(({ id, name, type, status }) => (
            <CheckField
              key={id}
              checked={form.channel_ids.includes(id)}
              onChange={() => toggle(id)}
              label={`${name} (${type})`}
              help={status === "ok" ? undefined : `This channel is ${status}.`}
            />
          ))}
        </div>
        {channels.length > 0 && form.channel_ids.length === 0 && (
          <p className="mt-1 text-xs text-muted">Without a channel the rule only records alerts.</p>
        )}
        {problem && <p className="mt-1 text-xs text-critical">{problem}</p>}
      </fieldset>
      <EscalationFields steps={form.escalation} set={set} errors={errors} channels={channels} />
      <details open={timingFields.some((name) => errors[name]) || undefined}>
        <summary className="text-sm text-accent">Timing, message and mode</summary>
        <div className="mt-3 space-y-3">
          <div className="grid gap-3 sm:grid-cols-3">
            <TextField
              label="Quiet after a message (seconds)"
              {...number("cooldown_seconds")}
              help="Limits messages, not alerts."
            />
            <TextField
              label="Resolve after (seconds)"
              {...number("resolve_after_seconds")}
              help="How long the condition must be false."
            />
            <TextField
              label="Remind every (seconds)"
              {...number("renotify_seconds")}
              help="While it fires and nobody has acknowledged. Empty: never."
            />
          </div>
          <TextArea
            label="Message (optional)"
            value={form.message_template}
            onChange={({ target }) => set({ message_template: target.value })}
            error={errors.message_template}
            help="Replaces the sentence of the alert. Variables: {{contract.label}}, {{value}}, {{threshold}}, {{args.to}}, {{tx.hash}}."
          />
          <CheckField
            label="Send a message when it is over"
            checked={form.notify_on_resolve}
            onChange={({ target }) => set({ notify_on_resolve: target.checked })}
          />
          <CheckField
            label="Alert when there is no data"
            checked={form.no_data === "alert"}
            onChange={({ target }) => set({ no_data: target.checked ? "alert" : "ignore" })}
          />
          <CheckField
            label="Shadow: record alerts and send nothing"
            help="For trying a rule out."
            checked={form.mode === "shadow"}
            onChange={({ target }) => set({ mode: target.checked ? "shadow" : "live" })}
          />
        </div>
      </details>
    </div>
  );
}
