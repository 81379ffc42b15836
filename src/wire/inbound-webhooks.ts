import { z } from "zod";

/** Documentation only. The handler parses leniently, so that a missing field does not discard a transaction hint. */
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
  .meta({ id: "HeliusDelivery", description: "Enhanced or raw transactions in the format of Helius." });

export const InboundText = z
  .looseObject({
    From: z
      .string()
      .meta({ description: "Phone number of the sender, in E.164 format.", examples: ["+14155550100"] }),
    Body: z.string().meta({ description: "Text of the message.", examples: ["STOP"] }),
    MessageSid: z
      .string()
      .optional()
      .meta({ examples: ["SM0123456789abcdef0123456789abcdef"] }),
    OptOutType: z
      .string()
      .optional()
      .meta({
        description: "`STOP`, `START` or `HELP`, if Twilio recognised the keyword.",
        examples: ["STOP"],
      }),
  })
  .meta({ id: "InboundText", description: "An inbound text message in the format of Twilio." });

export const TwiML = z.string().meta({
  description: "TwiML with the reply to the sender; usually empty.",
  examples: ['<?xml version="1.0" encoding="UTF-8"?><Response/>'],
});
