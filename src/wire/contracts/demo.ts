import { z } from "zod";
import { Id } from "../primitives.ts";

export const Demo = z
  .strictObject({
    is_available: z
      .boolean()
      .meta({ description: "Whether this service runs the demo chain.", examples: [true] }),
    contracts: z
      .int()
      .meta({ description: "Contracts of the organisation on the demo chain.", examples: [9] }),
    channel_id: Id.nullable().describe("Inbox that the rules of the demo notify; null if there is none."),
  })
  .meta({ id: "Demo", description: "The demo of an organisation." });
export type Demo = z.infer<typeof Demo>;

export const DemoIncident = z
  .strictObject({
    title: z.string().meta({ examples: ["The price feed stops"] }),
    text: z.string().meta({
      description: "What happens, and what it would mean on a real chain.",
      examples: ["The keeper writes no price for almost five minutes, so the feed shows an old one."],
    }),
    from_block: z.int().meta({ examples: [1350] }),
    to_block: z.int().meta({ examples: [1489] }),
  })
  .meta({ id: "DemoIncident", description: "Something that happens on the demo chain now and then." });
export type DemoIncident = z.infer<typeof DemoIncident>;

export const DemoIncidentQuery = z.strictObject({
  block: z.coerce
    .number()
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({
      description: "A block of the demo chain.",
      examples: [1350],
    }),
});
export type DemoIncidentQuery = z.infer<typeof DemoIncidentQuery>;
