import { z } from "zod";
import { Id, line, Timestamp } from "../primitives.ts";

const Scope = z.enum(["read_only", "read_write"]).meta({
  description: "`read_only` keys may only use GET, HEAD and OPTIONS.",
  examples: ["read_only"],
});

const contractScope = z
  .array(Id)
  .min(1)
  .max(500)
  .describe("Contracts that the key may access; null for all.");
const chainScope = z
  .array(z.int().positive())
  .min(1)
  .max(100)
  .meta({ description: "Chain ids whose contracts the key may access; null for all." });

const fields = {
  id: Id,
  name: line(1, 100, "CI deploys"),
  prefix: z
    .string()
    .meta({ description: "First characters of the key, for identification.", examples: ["tocsin_pR2v0nYx"] }),
  scope: Scope,
  contract_scope: z.array(Id).nullable(),
  chain_scope: z
    .array(z.int())
    .nullable()
    .meta({ examples: [[1, 8453]] }),
  expires_at: Timestamp.nullable(),
  is_active: z.boolean().meta({ examples: [true] }),
  deactivated_at: Timestamp.nullable().meta({ examples: [null] }),
  last_used_at: Timestamp.nullable(),
  created_by: Id.nullable(),
  created_at: Timestamp,
};

export const ApiKey = z
  .strictObject(fields)
  .meta({ id: "ApiKey", description: "A key with which programs call the API for the organisation." });
export type ApiKey = z.infer<typeof ApiKey>;

export const NewApiKey = z
  .strictObject({
    ...fields,
    key: z.string().meta({
      description: "The plaintext key. It is shown once and cannot be retrieved again.",
      examples: ["tocsin_pR2v0nYxkq3mJH4wq7t1dUuS8y9cZaLbEoVfGiKsWxM"],
    }),
  })
  .meta({ id: "NewApiKey", description: "An API key with its plaintext, which is shown once." });
export type NewApiKey = z.infer<typeof NewApiKey>;

export const ApiKeyCreate = z
  .strictObject({
    name: fields.name,
    scope: Scope.default("read_write"),
    contract_scope: contractScope.nullable().optional(),
    chain_scope: chainScope
      .nullable()
      .optional()
      .meta({ examples: [[1, 8453]] }),
    expires_at: z.iso
      .datetime({ offset: true })
      .nullable()
      .optional()
      .describe("Expiry; never by default.")
      .meta({ examples: ["2027-02-13T09:30:00Z"] }),
  })
  .meta({ id: "ApiKeyCreate" });
export type ApiKeyCreate = z.output<typeof ApiKeyCreate>;

export const ApiKeyUpdate = z
  .strictObject({ name: fields.name })
  .meta({ id: "ApiKeyUpdate", description: "Only the name can be changed; regenerate a key to replace it." });
export type ApiKeyUpdate = z.infer<typeof ApiKeyUpdate>;

const counts = {
  requests: z.int().meta({ examples: [1842] }),
  errors: z.int().meta({ description: "Number of responses with status 400 or above.", examples: [3] }),
};
const Day = z.strictObject({ date: z.iso.date().meta({ examples: ["2026-11-15"] }), ...counts });
const days = z.array(Day).describe("Counts of the last 30 days (UTC) including today, oldest first.");

export const ApiKeyUsage = z.strictObject({ key_id: Id, days, today: Day }).meta({
  id: "ApiKeyUsage",
  description: "Usage of a key. Counts of other processes can lag by a few minutes.",
});
export type ApiKeyUsage = z.infer<typeof ApiKeyUsage>;

export const ApiKeyUsageSummary = z
  .strictObject({
    days,
    today: Day,
    keys: z.array(z.strictObject({ key_id: Id, name: fields.name, prefix: fields.prefix, ...counts })),
  })
  .meta({ id: "ApiKeyUsageSummary", description: "Usage of all keys of the organisation over 30 days." });
export type ApiKeyUsageSummary = z.infer<typeof ApiKeyUsageSummary>;
