import { z } from "zod";
import { Id, line, Timestamp } from "../primitives.ts";
import { Severity } from "./rules.ts";

const label = line(1, 101, "maintenance");
const reason = line(1, 500, "Planned upgrade of the vault");
const time = z.iso.datetime({ offset: true }).meta({ examples: ["2026-11-15T12:00:00Z"] });

export const Silence = z
  .strictObject({
    id: Id,
    contract_id: Id.nullable(),
    label: label.nullable().describe("Label of the contracts: its value, or `key:value`."),
    severity: Severity.nullable(),
    all: z.boolean().describe("True if the silence covers the whole organisation."),
    reason,
    starts_at: Timestamp,
    ends_at: Timestamp,
    created_at: Timestamp,
  })
  .meta({
    id: "Silence",
    description: "A time range in which alerts are recorded and notifications are suppressed.",
  });
export type Silence = z.infer<typeof Silence>;

export const SilenceCreate = z
  .strictObject({
    contract_id: Id.optional().describe("Only alerts of this contract."),
    label: label.optional().describe("Only alerts of contracts with this label: its value, or `key:value`."),
    severity: Severity.optional().describe("Only alerts of this severity."),
    all: z.literal(true).optional().describe("All alerts of the organisation."),
    reason,
    starts_at: time.optional().describe("Start; now by default."),
    ends_at: time,
  })
  .refine(
    ({ all, contract_id, label, severity }) => (all === true) !== Boolean(contract_id || label || severity),
    "must have contract_id, label or severity, or else all",
  )
  .meta({
    id: "SilenceCreate",
    examples: [{ label: "maintenance", reason: "Planned upgrade", ends_at: "2026-11-15T12:00:00Z" }],
  });
export type SilenceCreate = z.infer<typeof SilenceCreate>;

export const SilenceUpdate = z
  .strictObject({
    reason: reason.optional(),
    starts_at: time.optional().describe("New start of a silence that has not started yet."),
    ends_at: time.optional().describe("New end, in the future. To end a silence now, delete it."),
  })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "SilenceUpdate", examples: [{ ends_at: "2026-11-15T18:00:00Z" }] });
export type SilenceUpdate = z.infer<typeof SilenceUpdate>;
