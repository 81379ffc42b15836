import { z } from "zod";

/** A type of channel that alerts can be sent to. */
export const ChannelTypeInfo = z
  .strictObject({
    type: z.string().meta({ examples: ["slack"] }),
    title: z.string().meta({ examples: ["Slack"] }),
    config_schema: z
      .record(z.string(), z.unknown())
      .describe("JSON Schema of `config`. Secret fields are marked `writeOnly`.")
      .meta({
        examples: [{ type: "object", properties: { webhook_url: { type: "string", writeOnly: true } } }],
      }),
  })
  .meta({ id: "ChannelTypeInfo", description: "A type of channel and the schema of its config." });
export type ChannelTypeInfo = z.infer<typeof ChannelTypeInfo>;
