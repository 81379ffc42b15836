import { z } from "zod";
import { Id } from "../primitives.ts";

const Hash = z
  .string()
  .meta({ examples: ["0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6"] });

const Sample = z.looseObject({
  time: z
    .int()
    .optional()
    .describe("Block time in seconds since 1970.")
    .meta({ examples: [1794735000] }),
  value: z
    .number()
    .optional()
    .meta({ examples: [3] }),
  tx_hash: Hash.nullable().optional(),
});

const Condition = z.looseObject({
  target_id: Id.optional(),
  target_type: z
    .string()
    .optional()
    .meta({ examples: ["tx_rate"] }),
  clause: z
    .string()
    .optional()
    .meta({ examples: ["count over 300 s is 3: at least 3"] }),
  value: z
    .number()
    .nullable()
    .optional()
    .meta({ examples: [3] }),
  holds: z
    .boolean()
    .nullable()
    .optional()
    .meta({ examples: [true] }),
});

const Link = z
  .string()
  .nullable()
  .optional()
  .meta({ examples: ["https://etherscan.io/tx/0x88e9"] });

/**
 * Why an event exists. An event of the service itself has a reason and facts of its own; an explanation that is too long lacks
 * parts. Therefore every field is optional and others are allowed.
 */
export const Explanation = z
  .looseObject({
    reason: z
      .string()
      .nullable()
      .optional()
      .describe("Why the event exists, such as `first_breach`, `occurred`, `chain_stalled` or `test`.")
      .meta({ examples: ["first_breach"] }),
    clause: z
      .string()
      .optional()
      .describe("The condition that held, in words.")
      .meta({ examples: ["count over 300 s is 3: at least 3"] }),
    group: z
      .looseObject({ by: z.string().optional(), value: z.string().nullable().optional() })
      .optional()
      .describe("The group of a rule with `group_by`.")
      .meta({ examples: [{ by: "args.spender", value: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }] }),
    conditions: z.array(Condition).optional().describe("Each condition of a rule with several."),
    previous: Sample.optional().describe(
      "The sample before the one that the event is about, if there is one.",
    ),
    samples: z.array(Sample).optional().describe("The newest samples in the window, at most 20."),
    samples_in_window: z
      .int()
      .optional()
      .meta({ examples: [3] }),
    decoded: z
      .unknown()
      .optional()
      .describe("The decoded call or event that caused the alert; null if there is none.")
      .meta({ examples: [null] }),
    evidence: z
      .record(z.string(), z.unknown())
      .nullable()
      .optional()
      .describe(
        "What was read. `sender` is who sent the transaction of a log; null if the nodes did not return the transaction in time. Exact integers are strings.",
      )
      .meta({ examples: [{ sender: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }] }),
    names: z
      .record(z.string(), z.string())
      .optional()
      .describe("Labels of contracts of the organisation, by address.")
      .meta({ examples: [{}] }),
    baseline: z
      .unknown()
      .optional()
      .describe("The normal range that the value was compared with; null if there is none.")
      .meta({ examples: [null] }),
    links: z
      .looseObject({ address: Link, tx: Link })
      .optional()
      .describe("Pages of the block explorer of the chain."),
    cut: z
      .array(z.string())
      .optional()
      .describe("Parts that were shortened or left out, because the explanation would exceed 64 KiB.")
      .meta({ examples: [[]] }),
  })
  .meta({
    id: "Explanation",
    description:
      "Why an event exists: the clause that matched, the samples in the window, the decoded call or event, and links. At most 64 KiB.",
  });
export type Explanation = z.infer<typeof Explanation>;
