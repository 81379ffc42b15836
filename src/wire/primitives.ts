import { z } from "zod";
import { isPlainLine } from "../lib/text.ts";

/** A UUID; case-insensitive, as in the database. */
export const Id = z
  .uuid()
  .toLowerCase()
  .meta({ examples: ["019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42"] });

export const PolicyId = Id.nullable().meta({
  description: "Policy that manages it: change the policy instead. Null if it is managed by hand.",
  examples: [null],
});

export const Timestamp = z.iso.datetime({ precision: 3 }).meta({
  description: "ISO 8601 timestamp in UTC with milliseconds.",
  examples: ["2026-11-15T09:30:00.000Z"],
});

/** One line of display text, trimmed. */
export function line(min: number, max: number, example: string) {
  return z
    .string()
    .trim()
    .min(min)
    .max(max)
    .refine(isPlainLine, "must not contain control characters")
    .meta({ examples: [example] });
}

export const Email = z
  .email()
  .max(254)
  .meta({ examples: ["ada@example.com"] });

export const Role = z.enum(["admin", "member", "viewer"]).meta({
  description:
    "`admin` manages the organisation, `member` manages its contracts and alerts, `viewer` has read access.",
  examples: ["member"],
});
export type Role = z.infer<typeof Role>;

export const Tier = z.enum(["free", "pro", "team", "enterprise"]).meta({ examples: ["team"] });
export type Tier = z.infer<typeof Tier>;

export const Ok = z
  .strictObject({ ok: z.literal(true).meta({ examples: [true] }) })
  .meta({ id: "Ok", description: "The request succeeded." });

/** A token from a mailed link, as sent in a path, a query or a body. */
export const Token = z
  .string()
  .min(1)
  .max(200)
  .meta({
    description: "The token from the mailed link.",
    examples: ["pR2v0nYxkq3mJH4wq7t1dUuS8y9cZaLbEoVfGiKsWxM"],
  });
