import { z } from "zod";

/** For the description: what comes is read leniently, since a field that is missing must lose no hint. */
export const HeliusDelivery = z
  .array(
    z.looseObject({
      signature: z.string().meta({
        examples: [
          "5nNtjezQMYBHvgSQmoRmJPiXGsPAWmJPoGSa64xanqrauogiVzFyGQhKeFataHGXq51jR2hjbzNTkPUpP787HAmL",
        ],
      }),
      slot: z
        .int()
        .optional()
        .meta({ examples: [171942732] }),
    }),
  )
  .meta({ id: "HeliusDelivery", description: "Enhanced transactions, as Helius sends them." });

export const InboundText = z
  .looseObject({
    From: z.string().meta({ description: "Who sent it.", examples: ["+14155550100"] }),
    Body: z.string().meta({ description: "The text.", examples: ["STOP"] }),
    MessageSid: z
      .string()
      .optional()
      .meta({ examples: ["SM0123456789abcdef0123456789abcdef"] }),
    OptOutType: z
      .string()
      .optional()
      .meta({ description: "`STOP`, `START` or `HELP`, where Twilio has read it.", examples: ["STOP"] }),
  })
  .meta({ id: "InboundText", description: "A text message that somebody sent to us, as Twilio sends it." });

export const TwiML = z.string().meta({
  description: "What Twilio is to answer the sender with; usually nothing.",
  examples: ['<?xml version="1.0" encoding="UTF-8"?><Response/>'],
});
