import { z } from "zod";
import { Id } from "../primitives.ts";

export const DefenderImport = z
  .strictObject({
    export: z.unknown().meta({
      description:
        "Export as an object, an array or text: Defender monitors, Sentinels, a `serverless.yml`, or OpenZeppelin " +
        "Monitor JSON.",
      examples: [{ items: [] }],
    }),
    dry_run: z.boolean().default(false).describe("If true, returns the result without changing anything."),
    channel_map: z
      .record(z.string().max(500), Id)
      .optional()
      .describe("Channel ids to use, keyed by id or name of the channel in the export."),
    default_channel_id: Id.nullable()
      .optional()
      .describe("Channel to use for exported channels without a match."),
  })
  .meta({ id: "DefenderImport" });
export type DefenderImport = z.output<typeof DefenderImport>;

const count = z
  .int()
  .min(0)
  .meta({ examples: [1] });
const Warning = z.strictObject({
  code: z.string().meta({ examples: ["unsupported_feature"] }),
  message: z
    .string()
    .meta({ examples: ["The monitor ran an action on each match; the action was not imported."] }),
});

export const DefenderImportResult = z
  .strictObject({
    dry_run: z.boolean(),
    monitors_total: count,
    imported: count,
    skipped: count.describe("Number of monitors that were imported before."),
    failed: count,
    contracts_created: count,
    targets_created: count,
    rules_created: count,
    channels_created: count,
    items: z
      .array(
        z.strictObject({
          source_id: z.string().meta({ examples: ["8181d9e0-88ce-4db0-802a-2b56e2e6a7b1"] }),
          name: z.string().meta({ examples: ["USDC ownership"] }),
          chain: z.string().meta({ examples: ["ethereum"] }),
          address: z.string().meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] }),
          contract_id: Id.nullable(),
          rule_ids: z.array(Id),
          status: z.enum(["imported", "skipped", "failed"]),
          code: z
            .string()
            .nullable()
            .meta({ examples: [null] }),
          message: z
            .string()
            .nullable()
            .meta({ examples: [null] }),
          warnings: z.array(Warning),
        }),
      )
      .describe("One item per monitor and address."),
    errors: z
      .array(
        z.strictObject({
          index: z
            .int()
            .min(0)
            .meta({ examples: [3] }),
          source_id: z.string().nullable(),
          code: z.string().meta({ examples: ["unsupported_feature"] }),
          message: z.string().meta({ examples: ["Forta monitors cannot be imported."] }),
        }),
      )
      .describe("Monitors that could not be parsed."),
  })
  .meta({
    id: "DefenderImportResult",
    description: "Result of each monitor. Ids in a dry run are not persistent.",
  });
export type DefenderImportResult = z.infer<typeof DefenderImportResult>;
