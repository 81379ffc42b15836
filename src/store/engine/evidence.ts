import { z } from "zod";
import { CorruptColumn } from "../parse-row.ts";

/** The evidence of a sample: where it comes from, and any fields that its meter adds. */
const shape = z.looseObject({
  tx_hash: z.string().nullish(),
  /** The position of the log in its transaction. */
  position: z.number().nullish(),
  /** The index of the log in its block. */
  log_index: z.number().optional(),
  /** The group of a rule that evaluates each group individually. */
  group: z.string().optional(),
  status: z.enum(["success", "failed"]).optional(),
  decoded: z.looseObject({ signature: z.string(), args: z.record(z.string(), z.unknown()) }).optional(),
});

export type Evidence = z.infer<typeof shape>;

/** Parses stored evidence. Returns it without a copy: a copy would drop arguments whose name is `__proto__`. */
export function parseEvidence(stored: unknown): Evidence {
  if (stored === null) return {};
  const { success, error } = shape.safeParse(stored);
  if (!success) throw new CorruptColumn("samples.evidence", z.prettifyError(error));
  return stored as Evidence;
}
