import { z } from "zod";
import { Id } from "../primitives.ts";
import { Rule, RuleCreate } from "./rules.ts";

export const PreviewRequest = z
  .strictObject({
    target_id: Id,
    severity: RuleCreate.shape.severity,
    condition: RuleCreate.shape.condition,
    name: RuleCreate.shape.name,
    message_template: Rule.shape.message_template.optional(),
  })
  .meta({ id: "MessagePreviewRequest" });
export type PreviewRequest = z.infer<typeof PreviewRequest>;

const ChannelPreview = z.strictObject({
  channel_type: z.string().meta({ examples: ["slack"] }),
  channel_title: z.string().meta({ examples: ["Slack"] }),
  format: z.enum(["text", "json"]).meta({
    description: "`text` as people read it, without markup; `json` as a program receives it.",
    examples: ["text"],
  }),
  title: z
    .string()
    .nullable()
    .describe("The headline or the subject; null if the message has none of its own.")
    .meta({ examples: ["Critical: USDC on Ethereum: 12 transactions in 5 min"] }),
  text: z.string().meta({ examples: ["USDC on Ethereum: 12 transactions in 5 min."] }),
});

export const MessagePreviews = z
  .strictObject({
    uses_reading: z
      .boolean()
      .describe(
        "True if addresses, amounts and arguments are those of the newest reading of the target. Without a reading they are " +
          "placeholders such as `‹to›`.",
      )
      .meta({ examples: [true] }),
    messages: z.array(ChannelPreview).describe("One entry for every channel type."),
  })
  .meta({ id: "MessagePreviews", description: "An example message of a rule for every channel type." });
export type MessagePreviews = z.infer<typeof MessagePreviews>;
