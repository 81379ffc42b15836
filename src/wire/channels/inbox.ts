import { z } from "zod";
import { Severity } from "../alerts/rules.ts";
import { Id, Timestamp } from "../primitives.ts";

export const InboxMessage = z
  .strictObject({
    id: Id,
    channel_id: Id,
    channel_name: z.string().meta({ examples: ["Inbox"] }),
    kind: z
      .enum(["fired", "renotified", "escalated", "resolved", "retracted", "test"])
      .meta({ description: "Reason for the message.", examples: ["fired"] }),
    severity: Severity,
    title: z.string().meta({ examples: ["Critical: Large transfer: Treasury on Ethereum"] }),
    message: z.string().meta({
      description: "Plain text with a line per alert.",
      examples: ["1,500,000 USDC left the treasury in one transfer."],
    }),
    event_ids: z.array(Id).describe("Ids of the events; empty for a test."),
    is_read: z.boolean().meta({ description: "Whether the caller has read it.", examples: [false] }),
    received_at: Timestamp,
  })
  .meta({ id: "InboxMessage", description: "A message of a channel of the type `inbox`." });
export type InboxMessage = z.infer<typeof InboxMessage>;

const unread = z.int().meta({ description: "Unread messages of the caller, at most 1,000.", examples: [3] });

export const Inbox = z
  .strictObject({ unread, messages: z.array(InboxMessage) })
  .meta({ id: "Inbox", description: "Messages, newest first, and the number of unread ones." });
export type Inbox = z.infer<typeof Inbox>;

export const InboxQuery = z.strictObject({
  is_unread: z
    .boolean()
    .optional()
    .describe(
      "If true, only messages that the caller has not read; if false, only those that they have read.",
    ),
  to: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("Latest time of receipt, inclusive. Keep it constant while paging."),
  limit: z.int().min(1).max(200).default(50).describe("Maximum number of messages."),
  offset: z.int().min(0).max(10_000).default(0).describe("Number of newer messages to skip."),
});
export type InboxQuery = z.infer<typeof InboxQuery>;

export const InboxRead = z
  .strictObject({
    message_ids: z
      .array(Id)
      .min(1)
      .max(200)
      .optional()
      .describe("Messages to mark; unknown ones are ignored."),
    until: z.iso
      .datetime({ offset: true })
      .optional()
      .describe("Marks all messages that were received until this time, inclusive."),
  })
  .refine(
    ({ message_ids, until }) => (message_ids === undefined) !== (until === undefined),
    "must have either message_ids or until",
  )
  .meta({ id: "InboxRead", examples: [{ until: "2026-11-15T09:30:00.000Z" }] });
export type InboxRead = z.infer<typeof InboxRead>;

export const InboxCount = z
  .strictObject({ unread })
  .meta({ id: "InboxCount", description: "The number of messages that are still unread." });
export type InboxCount = z.infer<typeof InboxCount>;
