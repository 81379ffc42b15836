import { useState } from "react";
import { setUpSteps } from "@/features/channels/steps.ts";
import { api, type Schemas } from "@/lib/api.ts";
import type { Channel, ChannelType } from "@/queries/channels.ts";
import { ApiCall } from "@/ui/api-call.tsx";
import { SelectField, TextField } from "@/ui/form/field.tsx";
import type { JsonSchema } from "@/ui/form/schema-fields.ts";
import { SchemaForm } from "@/ui/form/schema-form.tsx";

export type ChannelValues = {
  name: string;
  min_severity: Channel["min_severity"];
  config: Record<string, unknown>;
};

type Props = {
  type: ChannelType;
  channel?: Channel;
  action: string;
  onSubmit: (values: ChannelValues) => Promise<unknown>;
};

/** The form of any channel type. Its inputs come from the service; secrets are written and never shown. */
export function ChannelForm({ type, channel, action, onSubmit }: Props) {
  const [name, setName] = useState(channel?.name ?? type.title);
  const [severity, setSeverity] = useState<Channel["min_severity"]>(channel?.min_severity ?? "info");
  const [accepted, setAccepted] = useState(false);
  const steps = setUpSteps[type.type] ?? [];
  async function test(config: Record<string, unknown>) {
    setAccepted(false);
    // The form was made from the schema of the type, which the compiler does not know.
    const body = {
      type: type.type,
      config,
      ...(channel && { channel_id: channel.id }),
    } as Schemas["ChannelTest"];
    await api.POST("/api/v1/channels/test", { body });
    setAccepted(true);
  }
  return (
    <div className="space-y-4">
      {steps.length > 0 && (
        <ol className="list-decimal space-y-1 rounded bg-raised py-2 pr-3 pl-8 text-sm">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      <SchemaForm
        key={type.type}
        schema={type.config_schema as JsonSchema}
        at="config"
        {...(channel && { values: channel.config })}
        action={action}
        second={{ action: channel ? "Test this change" : "Send a test", onSubmit: (config) => test(config) }}
        onSubmit={(config) => onSubmit({ name: name.trim(), min_severity: severity, config })}
        before={(errors) => (
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField
              name="name"
              label="Name"
              value={name}
              onChange={({ target }) => setName(target.value)}
              error={errors.name}
              maxLength={100}
            />
            <SelectField
              name="min_severity"
              label="Send"
              value={severity}
              onChange={({ target }) => setSeverity(target.value as Channel["min_severity"])}
              error={errors.min_severity}
              options={[
                { value: "info", label: "all alerts" },
                { value: "warning", label: "warning and critical alerts" },
                { value: "critical", label: "critical alerts only" },
              ]}
            />
          </div>
        )}
      />
      <p role="status" className={accepted ? "text-sm text-ok" : "sr-only"}>
        {accepted &&
          (type.type === "inbox"
            ? "The inbox needs no other service, so that nothing can fail. Nothing is saved yet."
            : `${type.title} accepted the test message. Nothing is saved yet.`)}
      </p>
      <ApiCall
        call={
          channel
            ? { method: "PATCH", path: `/channels/${channel.id}`, body: { name, min_severity: severity } }
            : {
                method: "POST",
                path: "/channels",
                body: { type: type.type, name, config: exampleOf(type.config_schema as JsonSchema) },
              }
        }
      />
    </div>
  );
}

function exampleOf({ properties = {}, required = [] }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, properties[name]?.examples?.[0] ?? "…"]));
}
