import { z } from "zod";
import { Cursor } from "../paging.ts";
import { Id, Timestamp } from "../primitives.ts";
import { withTimeRange } from "../time-range.ts";

export const AuditEntry = z
  .strictObject({
    id: Id,
    action: z.string().meta({ examples: ["invite.created"] }),
    actor: z.strictObject({
      type: z.enum(["user", "api_key", "staff", "system", "link"]),
      id: Id.nullable(),
      name: z
        .string()
        .nullable()
        .meta({ examples: ["Ada Lovelace"] }),
    }),
    subject: z.strictObject({
      type: z.string().meta({ examples: ["invite"] }),
      id: z
        .string()
        .nullable()
        .meta({ examples: ["019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42"] }),
    }),
    details: z
      .record(z.string(), z.unknown())
      .meta({ examples: [{ email: "grace@example.com", role: "member" }] }),
    request_id: z
      .string()
      .nullable()
      .meta({ examples: ["req_019a8c1e7c4b7d3a9f213b6c1f0e5a42"] }),
    ip: z
      .string()
      .nullable()
      .meta({ examples: ["203.0.113.7"] }),
    created_at: Timestamp,
  })
  .meta({ id: "AuditEntry", description: "One audited action." });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = withTimeRange(
  z.strictObject({
    action: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("Only entries with this action.")
      .meta({ examples: ["invite.created"] }),
    from: z.iso.datetime({ offset: true }).optional().describe("Start of the time range, inclusive."),
    to: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("End of the time range, inclusive. Keep it constant while paging."),
    limit: z.int().min(1).max(200).default(50).describe("Maximum number of entries."),
    offset: z.int().min(0).max(10_000).default(0).describe("Number of newer entries to skip."),
    cursor: Cursor.optional(),
  }),
);
export type AuditQuery = z.infer<typeof AuditQuery>;
