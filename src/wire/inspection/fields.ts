import { z } from "zod";

export const Address = z.string().meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] });
export const Height = z
  .int()
  .meta({ description: "Number of the block at which the state was read.", examples: [23812345] });
export const sentence = (example: string) => z.string().meta({ examples: [example] });

export const Source = z.strictObject({
  source: z.string().meta({ examples: ["sourcify"] }),
  status: z.enum(["found", "not_found", "unavailable", "rate_limited", "invalid", "skipped"]),
  detail: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
});
