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
