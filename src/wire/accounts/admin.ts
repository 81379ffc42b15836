import { z } from "zod";
import { Email, Id, Tier, Timestamp } from "../primitives.ts";
import { SignupApproval } from "./auth.ts";

/** Schemas of the operations for platform staff, which the public OpenAPI document omits. */
export const StaffMember = z.strictObject({ id: Id, email: Email, name: z.string(), created_at: Timestamp });
export type StaffMember = z.infer<typeof StaffMember>;

export const AdminSignup = z.strictObject({ id: Id, ...SignupApproval.shape });
export type AdminSignup = z.infer<typeof AdminSignup>;

export const AdminSignupQuery = z.strictObject({
  status: z.enum(["pending", "approved", "rejected"]).default("pending"),
  limit: z.int().min(1).max(200).default(50),
  offset: z.int().min(0).max(10_000).default(0),
});
export type AdminSignupQuery = z.infer<typeof AdminSignupQuery>;

const FeatureFlags = z.strictObject({ bridge_detection: z.boolean().optional() });

export const AdminOrg = z.strictObject({
  id: Id,
  name: z.string(),
  tier: Tier,
  feature_flags: FeatureFlags,
  members: z.int(),
  created_at: Timestamp,
});
export type AdminOrg = z.infer<typeof AdminOrg>;

export const AdminOrgQuery = z.strictObject({
  limit: z.int().min(1).max(200).default(50),
  offset: z.int().min(0).max(10_000).default(0),
});
export type AdminOrgQuery = z.infer<typeof AdminOrgQuery>;

export const AdminOrgUpdate = z
  .strictObject({ tier: Tier.optional(), feature_flags: FeatureFlags.optional() })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field");
export type AdminOrgUpdate = z.infer<typeof AdminOrgUpdate>;

export const AdminChain = z.strictObject({
  chain: z.string(),
  chain_id: z.int(),
  name: z.string(),
  has_rpc: z.boolean(),
  is_enabled: z.boolean(),
  last_error: z.string().nullable().describe("Why the chain could not be read last; names hosts of nodes."),
});
export type AdminChain = z.infer<typeof AdminChain>;

export const AdminChainUpdate = z.strictObject({ is_enabled: z.boolean() });

export const AdminHealth = z.strictObject({
  version: z.string(),
  uptime_seconds: z.number(),
  memory_bytes: z.int(),
  pending_migrations: z.array(z.string()),
  mail: z.strictObject({ kind: z.enum(["smtp", "folder"]), queued: z.int(), failed: z.int() }),
  users: z.int(),
  orgs: z.int(),
});
export type AdminHealth = z.infer<typeof AdminHealth>;
