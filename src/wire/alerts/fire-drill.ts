import { z } from "zod";
import { Id } from "../primitives.ts";
import { AlertEvent } from "./alert-events.ts";

const Recipient = z.strictObject({
  channel_id: Id,
  channel_type: z.string().meta({ examples: ["slack"] }),
  channel_name: z.string().meta({ examples: ["On-call"] }),
  outcome: z
    .enum([
      "notified",
      "shadow_mode",
      "channel_disabled",
      "channel_rejected",
      "below_min_severity",
      "silenced",
      "withheld",
    ])
    .meta({
      description:
        "`notified`, or why the channel gets no message: the rule is in shadow mode; the channel is disabled; its provider rejects every " +
        "message; the severity of the rule is below its minimum; a silence covers the alert; or the contract is restricted and the channel " +
        "was last changed by someone without access to it.",
      examples: ["notified"],
    }),
});

export const FireDrill = z
  .strictObject({
    event: AlertEvent,
    steps: z
      .array(
        z.strictObject({
          after_seconds: z
            .int()
            .describe("Time after an alert fires; 0 for the channels that are notified at once.")
            .meta({ examples: [0] }),
          recipients: z.array(Recipient),
        }),
      )
      .describe("Who an alert of the rule notifies: at once, then by each step of its escalation."),
  })
  .meta({ id: "FireDrill", description: "A test event of a rule, and who an alert of the rule notifies." });
export type FireDrill = z.infer<typeof FireDrill>;
