import { z } from "zod";
import { Email, Id, line, Role, Tier, Timestamp } from "../primitives.ts";

const Website = z
  .url({ protocol: /^https?$/, error: "must be an http or https URL" })
  .max(300)
  .meta({ examples: ["https://example.com"] });

const business = {
  legal_name: line(1, 200, "Analytical Engines Ltd").nullable(),
  website: Website.nullable(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, "must be a two-letter country code, such as GB")
    .nullable()
    .meta({ examples: ["GB"] }),
  tax_id: line(1, 50, "GB123456789").nullable(),
  address: line(1, 500, "12 St James's Square, London").nullable(),
  billing_email: Email.nullable(),
};

export const Business = z
  .strictObject(business)
  .meta({ id: "Business", description: "Business details of an organisation, as printed on invoices." });
export type Business = z.infer<typeof Business>;

/** An omitted field keeps its value; null clears it. */
const BusinessUpdate = z.strictObject(business).partial().meta({ id: "BusinessUpdate" });

const summary = {
  id: Id,
  name: z.string().meta({ examples: ["Analytical Engines"] }),
  tier: Tier,
  role: Role.describe("Role of the caller."),
  created_at: Timestamp,
};

export const OrgSummary = z.strictObject(summary).meta({ id: "OrgSummary", description: "An organisation." });
export type OrgSummary = z.infer<typeof OrgSummary>;

export const Org = z
  .strictObject({ ...summary, business: Business })
  .meta({ id: "Org", description: "An organisation with its business details." });
export type Org = z.infer<typeof Org>;

export const OrgCreate = z
  .strictObject({ name: line(1, 100, "Analytical Engines"), business: BusinessUpdate.optional() })
  .meta({ id: "OrgCreate" });
export type OrgCreate = z.infer<typeof OrgCreate>;

export const OrgUpdate = z
  .strictObject({ name: line(1, 100, "Analytical Engines").optional(), business: BusinessUpdate.optional() })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "OrgUpdate" });
export type OrgUpdate = z.infer<typeof OrgUpdate>;

export const Member = z
  .strictObject({
    user_id: Id,
    email: Email,
    name: z.string().meta({ examples: ["Ada Lovelace"] }),
    role: Role,
    joined_at: Timestamp,
  })
  .meta({ id: "Member", description: "A member of an organisation." });
export type Member = z.infer<typeof Member>;

export const MemberUpdate = z.strictObject({ role: Role }).meta({ id: "MemberUpdate" });
export type MemberUpdate = z.infer<typeof MemberUpdate>;

const interval = z.int().meta({ examples: [30] });

export const OrgSettings = z
  .strictObject({
    polling_interval_seconds: interval.describe("Seconds between two reads of the state of contracts."),
    min_polling_interval_seconds: interval.describe("Shortest interval that the tier allows, in seconds."),
    max_polling_interval_seconds: interval.describe("Longest interval, in seconds."),
  })
  .meta({ id: "OrgSettings", description: "Settings of an organisation." });
export type OrgSettings = z.infer<typeof OrgSettings>;

export const OrgSettingsUpdate = z
  .strictObject({
    polling_interval_seconds: interval.describe("Seconds between two reads, within the bounds of the tier."),
  })
  .meta({ id: "OrgSettingsUpdate" });
export type OrgSettingsUpdate = z.infer<typeof OrgSettingsUpdate>;
