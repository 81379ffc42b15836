import { z } from "zod";
import { channels } from "../../channels/index.ts";
import { Severity } from "../alerts/rules.ts";
import { pageQuery } from "../paging.ts";
import { Id, line, Timestamp } from "../primitives.ts";
import { withVariants } from "../variants.ts";
import { shownChannels } from "./channel-configs.ts";

const types = channels.map(({ type }) => type) as [string, ...string[]];

const ChannelType = z.enum(types).meta({
  description: "Type of the channel.",
  examples: ["webhook"],
});

/** The config fields of each channel type, derived from its schema. */
const fieldsOfTypes = channels.map(({ type, config }) => `${type}: ${fieldsOf(config)}`).join("; ");

function fieldsOf(config: z.ZodType): string {
  const { properties = {}, required = [] } = z.toJSONSchema(config, { io: "input", unrepresentable: "any" });
  return Object.keys(properties)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(", ");
}

const config = z.record(z.string(), z.unknown());
const ConfigInput = config.meta({
  description: `Config fields by channel type; ? marks an optional field. ${fieldsOfTypes}.`,
  examples: [{ url: "https://example.com/hooks/tocsin" }],
});
/** May be omitted for a type without required fields, such as the inbox; the domain reports those that are missing. */
const ConfigOrDefault = ConfigInput.default({});

const name = line(1, 100, "On-call");

const ChannelStatus = z.enum(["ok", "failing", "disabled"]).meta({
  description: "`failing` if deliveries fail; `disabled` if none can succeed until the channel is changed.",
  examples: ["ok"],
});

const AnyChannel = z
  .strictObject({
    id: Id,
    type: z.string().meta({ examples: ["webhook"] }),
    name,
    config: config.meta({
      description:
        "Config with masked secrets. A masked value in an update keeps the stored secret. A generated secret is shown once, " +
        "in the response to the request that generated it.",
      examples: [{ url: "https://example.com/hooks/tocsin", secret: "••••" }],
    }),
    min_severity: Severity,
    is_enabled: z.boolean(),
    status: ChannelStatus,
    last_success_at: Timestamp.nullable(),
    last_error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Channel", description: "A configured destination of notifications." });

export const Channel = withVariants(AnyChannel, "type", shownChannels, { isReply: true });
export type Channel = z.infer<typeof Channel>;

export const ChannelsQuery = z.strictObject({
  type: ChannelType.optional().describe("Only channels of this type."),
  status: ChannelStatus.optional().describe("Only channels with this status."),
  ...pageQuery,
});
export type ChannelsQuery = z.infer<typeof ChannelsQuery>;

const optional = {
  min_severity: Severity.optional().describe("Minimum severity to send; `info` by default."),
  is_enabled: z.boolean().optional().describe("False suspends all deliveries to the channel."),
};

export const ChannelCreate = withVariants(
  z
    .strictObject({ type: ChannelType, name, config: ConfigOrDefault, ...optional })
    .meta({ id: "ChannelCreate", description: "A channel of one of the types of `GET /channel-types`." }),
  "type",
  channels,
);
export type ChannelCreate = z.infer<typeof ChannelCreate>;

export const ChannelUpdate = z
  .strictObject({
    name: name.optional(),
    config: ConfigInput.optional().describe(
      "Fields to change: omitted fields keep their value, null removes an optional one.",
    ),
    ...optional,
  })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "ChannelUpdate" });
export type ChannelUpdate = z.infer<typeof ChannelUpdate>;

export const ChannelTest = withVariants(
  z
    .strictObject({
      type: ChannelType,
      config: ConfigOrDefault,
      channel_id: Id.optional().describe(
        "A channel of the same type that would be changed: config fields that are omitted, including secrets, keep its values, as in " +
          "`PATCH /channels/{channel_id}`.",
      ),
    })
    .meta({
      id: "ChannelTest",
      description: "A channel that a test message is sent to without creating or changing it.",
    }),
  "type",
  channels,
);
export type ChannelTest = z.infer<typeof ChannelTest>;

export const ChannelTested = z
  .strictObject({ sent: z.literal(true).meta({ examples: [true] }) })
  .meta({ id: "ChannelTested", description: "The provider accepted the message." });

export const RecipientPreview = z
  .strictObject({
    org_name: z.string().meta({ examples: ["Acme"] }),
    email: z.string().meta({ examples: ["ops@example.org"] }),
    is_confirmed: z.boolean().meta({ examples: [false] }),
  })
  .meta({ id: "RecipientPreview", description: "Who asks to send alerts, and to which address." });
export type RecipientPreview = z.infer<typeof RecipientPreview>;

export const ChannelRemoval = z.strictObject({
  replace_with: Id.optional().describe("Channel that the rules of the deleted channel notify instead."),
  force: z.boolean().default(false).describe("If true, rules without another channel become record-only."),
});
