import { z } from "zod";
import { passwordRule } from "../../lib/passwords/password-rule.ts";
import { Email, Id, line, Timestamp, Token } from "../primitives.ts";

const Theme = z.enum(["light", "dark", "system"]).meta({ examples: ["dark"] });

export const User = z
  .strictObject({
    id: Id,
    email: Email,
    name: z.string().meta({ examples: ["Ada Lovelace"] }),
    theme: Theme,
    is_verified: z.boolean().describe("True once the link mailed to this address was opened."),
    status: z.enum(["active", "pending_approval", "rejected"]),
    active_org_id: Id.nullable().describe("The organisation that requests with this session act on."),
    created_at: Timestamp,
  })
  .meta({ id: "User", description: "A person with an account." });
export type User = z.infer<typeof User>;

/** The password rule checks length and strength, so that its message is the same everywhere. */
const Password = z
  .string()
  .max(1024)
  .meta({
    description: passwordRule,
    examples: ["correct horse battery staple"],
  });

export const SignUp = z
  .strictObject({
    email: Email,
    password: Password,
    name: line(1, 100, "Ada Lovelace")
      .optional()
      .describe("Display name; defaults to the part of the address before the @."),
    org_name: line(1, 100, "Analytical Engines").optional().describe("Name of the personal organisation."),
    invite_token: Token.optional().describe(
      "Token of a pending invite to this address. With it, sign-up is possible even if it is closed, and needs no approval.",
    ),
  })
  .meta({ id: "SignUp" });
export type SignUp = z.infer<typeof SignUp>;

export const LogIn = z.strictObject({ email: Email, password: Password }).meta({ id: "LogIn" });
export type LogIn = z.infer<typeof LogIn>;

export const ProfileUpdate = z
  .strictObject({ name: line(1, 100, "Ada Lovelace") })
  .meta({ id: "ProfileUpdate" });
export type ProfileUpdate = z.infer<typeof ProfileUpdate>;

export const PasswordChange = z
  .strictObject({ current_password: Password, new_password: Password })
  .meta({ id: "PasswordChange" });
export type PasswordChange = z.infer<typeof PasswordChange>;

export const AccountDelete = z.strictObject({ password: Password }).meta({ id: "AccountDelete" });
export type AccountDelete = z.infer<typeof AccountDelete>;

export const Session = z
  .strictObject({
    id: Id,
    is_current: z.boolean().describe("True for the session of this request."),
    ip: z
      .string()
      .nullable()
      .describe("Address from which the session was started.")
      .meta({ examples: ["203.0.113.7"] }),
    created_at: Timestamp,
    last_used_at: Timestamp.describe("Time of the last request, with an accuracy of five minutes."),
    expires_at: Timestamp,
  })
  .meta({ id: "Session", description: "A log-in of the user that has not ended." });
export type Session = z.infer<typeof Session>;

export const ThemeUpdate = z.strictObject({ theme: Theme }).meta({ id: "ThemeUpdate" });

export const ForgotPassword = z.strictObject({ email: Email }).meta({ id: "ForgotPassword" });

export const ResetPassword = z
  .strictObject({ token: Token, new_password: Password })
  .meta({ id: "ResetPassword" });
export type ResetPassword = z.infer<typeof ResetPassword>;

export const SignupApproval = z
  .strictObject({
    email: Email,
    name: z.string().meta({ examples: ["Ada Lovelace"] }),
    org_name: z.string().meta({ examples: ["Analytical Engines"] }),
    requested_at: Timestamp,
    status: z.enum(["pending", "approved", "rejected"]),
  })
  .meta({ id: "SignupApproval", description: "A sign-up that needs approval." });
export type SignupApproval = z.infer<typeof SignupApproval>;
