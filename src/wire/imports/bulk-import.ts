import { z } from "zod";
import { toIssues } from "../../errors/issues.ts";
import { selectedTargets } from "../contracts/targets.ts";
import { Id } from "../primitives.ts";
import { describeAs } from "../variants.ts";

/** Far above the quota of every tier; rejects oversized input before it is processed. */
const maxItems = 5_000;

const text = (max: number, example: string) =>
  z
    .string()
    .max(max)
    .meta({ examples: [example] });

/** Limits are lax here: the import validates each item separately, so that one invalid item does not reject the rest. */
const Item = z
  .strictObject({
    chain: text(100, "ethereum"),
    address: text(200, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
    label: text(500, "USDC").optional(),
    labels: z
      .array(text(500, "team:treasury"))
      .max(100)
      .optional()
      .describe("Labels of the contract, each a value or `key:value`."),
    targets: z
      .array(text(200, "tx_rate"))
      .max(100)
      .optional()
      .describe("Types of targets to create without a config."),
    selected_targets: selectedTargets(100).optional().describe("Targets to create."),
  })
  .meta({ id: "BulkImportItem" });

/** An item, or what is wrong with it: an item of another shape fails alone, not with the whole batch. */
export type BulkItem = z.infer<typeof Item> | { chain: string; address: string; problem: string };

const LooseItem = describeAs(z.unknown().transform(readItem), Item);

function readItem(value: unknown): BulkItem {
  const result = Item.safeParse(value);
  if (result.success) return result.data;
  const given = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const textOf = (name: string) => (typeof given[name] === "string" ? given[name].slice(0, 200) : "");
  const issues = toIssues(result.error, "", value).slice(0, 5);
  const problem = issues.map(({ loc, msg }) => `${loc.slice(1).join(".") || "The item"} ${msg}`).join("; ");
  return { chain: textOf("chain"), address: textOf("address"), problem };
}

export const BulkImport = z
  .strictObject({
    contracts: z.array(LooseItem).min(1).max(maxItems).optional(),
    csv: z
      .string()
      .min(1)
      .max(5_000_000)
      .optional()
      .meta({
        description:
          "CSV with a header row: `chain`, `address` and optionally `label`, `labels`, `targets`. Separate several " +
          "labels or targets in one cell by `;` or `|`.",
        examples: ["chain,address,label\nethereum,0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48,USDC"],
      }),
  })
  .refine(
    (body) => (body.contracts === undefined) !== (body.csv === undefined),
    "must have either contracts or csv",
  )
  .meta({
    id: "BulkImport",
    examples: [{ contracts: [{ chain: "ethereum", address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" }] }],
  });
export type BulkImport = z.infer<typeof BulkImport>;

const count = z
  .int()
  .min(0)
  .meta({ examples: [1] });

export const BulkImportQuery = z.strictObject({
  dry_run: z
    .boolean()
    .default(false)
    .describe("If true, nothing is written; the result is that of the import."),
});

export const BulkImportResult = z
  .strictObject({
    dry_run: z.boolean().meta({ examples: [false] }),
    imported: count,
    skipped: count.describe("Number of contracts that the organisation already monitors."),
    failed: count,
    not_reached: count.describe("Number of items after the quota was exhausted."),
    items: z.array(
      z.strictObject({
        index: z
          .int()
          .min(0)
          .meta({ examples: [0] }),
        chain: z.string().meta({ examples: ["ethereum"] }),
        address: z.string().meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] }),
        status: z.enum(["imported", "skipped", "failed", "not_reached"]),
        contract_id: Id.nullable(),
        code: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
        message: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
      }),
    ),
  })
  .meta({
    id: "BulkImportResult",
    description: "Result of each item, in the order of the input.",
  });
export type BulkImportResult = z.infer<typeof BulkImportResult>;
