import { z } from "zod";
import { Email, Id, Role, Timestamp } from "../primitives.ts";

const InviteStatus = z.enum(["pending", "accepted", "revoked", "expired"]);

export const Invite = z
  .strictObject({
    id: Id,
    email: Email,
    role: Role,
    status: InviteStatus,
    invited_by: z
      .string()
      .describe("Name of the inviting admin.")
      .meta({ examples: ["Ada Lovelace"] }),
    expires_at: Timestamp,
    created_at: Timestamp,
    invite_url: z
      .string()
      .nullable()
      .describe(
        "Link to pass on. Present only in the response to the creation, and only if no mail server is configured.",
      )
      .meta({ examples: [null] }),
  })
  .meta({ id: "Invite", description: "An invitation to join an organisation." });
export type Invite = z.infer<typeof Invite>;

export const InviteCreate = z.strictObject({ email: Email, role: Role }).meta({ id: "InviteCreate" });
export type InviteCreate = z.infer<typeof InviteCreate>;

export const InvitePreview = z
  .strictObject({
    org_name: z.string().meta({ examples: ["Analytical Engines"] }),
    email: Email,
    role: Role,
    invited_by: z.string().meta({ examples: ["Ada Lovelace"] }),
    expires_at: Timestamp,
    status: InviteStatus,
  })
  .meta({ id: "InvitePreview", description: "The invite as shown to the invited person." });
export type InvitePreview = z.infer<typeof InvitePreview>;
