import { z } from "zod";
import { channels } from "../../channels/index.ts";
import { Severity } from "../alerts/rules.ts";
import { Id, line, Timestamp } from "../primitives.ts";

const types = channels.map(({ type }) => type) as [string, ...string[]];

const ChannelType = z.enum(types).meta({
  description: "What kind of place it is.",
  examples: ["webhook"],
});

/** The fields that each type takes, read from its own shape. */
const fieldsOfTypes = channels.map(({ type, config }) => `${type}: ${fieldsOf(config)}`).join("; ");

function fieldsOf(config: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(config, { io: "input", unrepresentable: "any" });
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(", ");
}

const config = z.record(z.string(), z.unknown());
const ConfigInput = config.meta({
  description: `What the type needs. ${fieldsOfTypes}.`,
  examples: [{ url: "https://example.com/hooks/tocsin" }],
});

const name = line(1, 100, "On-call");

export const Channel = z
  .strictObject({
    id: Id,
    type: z.string().meta({ examples: ["webhook"] }),
    name,
    config: config.meta({
      description:
        "Secrets are masked; sent back as they are, they mean the secret that is there. A secret that was made for you " +
        "is shown once, in the answer to the request that made it.",
      examples: [{ url: "https://example.com/hooks/tocsin", secret: "••••" }],
    }),
    min_severity: Severity,
    is_enabled: z.boolean(),
    status: z.enum(["ok", "failing", "disabled"]).meta({
      description:
        "`failing` when messages do not get through; `disabled` when none can until the channel is changed.",
      examples: ["ok"],
    }),
    last_success_at: Timestamp.nullable(),
    last_error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Channel", description: "A place that alerts go to." });
export type Channel = z.infer<typeof Channel>;

const optional = {
  min_severity: Severity.optional().describe("Nothing less severe is sent; `info` unless said."),
  is_enabled: z.boolean().optional().describe("Whether anything is sent to it."),
};

export const ChannelCreate = z
  .strictObject({ type: ChannelType, name, config: ConfigInput, ...optional })
  .meta({ id: "ChannelCreate" });
export type ChannelCreate = z.infer<typeof ChannelCreate>;

export const ChannelUpdate = z
  .strictObject({
    name: name.optional(),
    config: ConfigInput.optional().describe(
      "Only the fields to change: what is left out stays, null takes an optional one away.",
    ),
    ...optional,
  })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "ChannelUpdate" });
export type ChannelUpdate = z.infer<typeof ChannelUpdate>;

export const ChannelTested = z
  .strictObject({ sent: z.literal(true).meta({ examples: [true] }) })
  .meta({ id: "ChannelTested", description: "The message was taken." });
