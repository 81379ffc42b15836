import { z } from "zod";
import * as auth from "../../../domain/accounts/auth.ts";
import { deleteAccount } from "../../../domain/accounts/delete-account.ts";
import { resendVerification, verifyEmail } from "../../../domain/accounts/email-verification.ts";
import { changePassword } from "../../../domain/accounts/password-change.ts";
import { forgotPassword, resetPassword } from "../../../domain/accounts/password-reset.ts";
import {
  endOtherSessions,
  endSession,
  endSessions,
  listSessions,
} from "../../../domain/accounts/sessions.ts";
import { findPasswordIssues, signUp } from "../../../domain/accounts/signup.ts";
import {
  AccountDelete,
  ForgotPassword,
  LogIn,
  PasswordChange,
  ProfileUpdate,
  ResetPassword,
  Session,
  SignUp,
  ThemeUpdate,
  User,
} from "../../../wire/accounts/auth.ts";
import { Ok, Token } from "../../../wire/primitives.ts";
import { type Group, operation, passwordLimits } from "../../operation.ts";

export const authentication: Group = {
  tag: "Authentication",
  about: "Accounts, sessions and passwords.",
  operations: [
    operation({
      route: "POST /auth/signup",
      id: "signUp",
      summary: "Sign up",
      description:
        "Creates an account with a personal organisation, mails a verification link and sets the session cookie. " +
        "If accounts need approval, the status is `pending_approval` and no session starts. A person with an invite sends its token, " +
        "and can sign up in any case.",
      policy: { who: "anyone" },
      body: SignUp,
      limits: passwordLimits,
      findIssues: async ({ fields }) => findPasswordIssues(fields),
      reply: User,
      errors: ["email_taken", "signup_closed", "rate_limited"],
      async handle({ app, caller, body, cookies }) {
        const { user, token } = await signUp(app, caller, body);
        if (!token) return user;
        await endSessions(app, { user: cookies.get("user") });
        cookies.set("user", token);
        return user;
      },
    }),

    operation({
      route: "POST /auth/login",
      id: "logIn",
      summary: "Log in",
      description:
        "Starts a new session and sets its cookie. Ends the session that the request carried, if any.",
      policy: { who: "anyone" },
      body: LogIn,
      limits: passwordLimits,
      reply: User,
      errors: ["invalid_credentials", "approval_pending", "signup_rejected", "rate_limited"],
      async handle({ app, caller, body, cookies }) {
        const { user, token } = await auth.logIn(app, caller, body);
        await endSessions(app, { user: cookies.get("user") });
        cookies.set("user", token);
        return user;
      },
    }),

    operation({
      route: "POST /auth/logout",
      id: "logOut",
      summary: "Log out",
      description: "Ends the sessions of the cookies `access_token` and `admin_token`, if present.",
      policy: { who: "anyone" },
      reply: Ok,
      async handle({ app, cookies }) {
        await endSessions(app, { user: cookies.get("user"), staff: cookies.get("staff") });
        cookies.clear("user");
        cookies.clear("staff");
        return { ok: true as const };
      },
    }),

    operation({
      route: "GET /auth/me",
      id: "getMe",
      summary: "Get the current user",
      description: "Returns the user of the session.",
      policy: { who: "user" },
      reply: User,
      handle: ({ app, caller }) => auth.me(app, caller),
    }),

    operation({
      route: "PATCH /auth/me",
      id: "updateMe",
      summary: "Update the current user",
      description: "Changes the name that other members see.",
      policy: { who: "user" },
      body: ProfileUpdate,
      reply: User,
      handle: ({ app, caller, body }) => auth.changeProfile(app, caller, body),
    }),

    operation({
      route: "POST /auth/change-password",
      id: "changePassword",
      summary: "Change the password",
      description:
        "Sets a new password, ends every other session of the account and mails a notice. A wrong current password counts as a failed log-in.",
      policy: { who: "user" },
      body: PasswordChange,
      limits: passwordLimits,
      reply: Ok,
      errors: ["wrong_password", "rate_limited"],
      handle: ({ app, caller, body }) => changePassword(app, caller, body),
    }),

    operation({
      route: "GET /auth/sessions",
      id: "listSessions",
      summary: "List sessions",
      description: "Returns the sessions of the user that have not ended, newest first.",
      policy: { who: "user" },
      reply: z.array(Session),
      handle: ({ app, caller }) => listSessions(app, caller),
    }),

    operation({
      route: "DELETE /auth/sessions",
      id: "endOtherSessions",
      summary: "End all other sessions",
      description: "Ends every session of the user except the current one.",
      policy: { who: "user" },
      reply: Ok,
      handle: ({ app, caller }) => endOtherSessions(app, caller),
    }),

    operation({
      route: "DELETE /auth/sessions/{session_id}",
      id: "endSession",
      summary: "End a session",
      description: "Ends a session of the user immediately.",
      policy: { who: "user" },
      reply: Ok,
      handle: ({ app, caller, params }) => endSession(app, caller, params.session_id),
    }),

    operation({
      route: "POST /auth/delete-account",
      id: "deleteAccount",
      summary: "Delete the account",
      description:
        "Deletes the account and ends its sessions. Organisations of which the user is the only member are deleted as by `DELETE " +
        "/orgs/{org_id}`; the user leaves the others. The last admin of an organisation with other members cannot delete their account: " +
        "409 `last_admin`. Name and address are removed, except from entries of audit logs, which are never changed.",
      policy: { who: "user" },
      body: AccountDelete,
      limits: { deadlineMs: 30_000 },
      reply: Ok,
      errors: ["wrong_password", "last_admin", "subscription_active", "rate_limited"],
      async handle({ app, caller, body, cookies }) {
        const reply = await deleteAccount(app, caller, body);
        cookies.clear("user");
        return reply;
      },
    }),

    operation({
      route: "PATCH /auth/me/theme",
      id: "setTheme",
      summary: "Set the theme",
      description: "Sets the theme of the dashboard; `system` follows the device.",
      policy: { who: "user" },
      body: ThemeUpdate,
      reply: Ok,
      handle: ({ app, caller, body }) => auth.setTheme(app, caller, body.theme),
    }),

    operation({
      route: "GET /auth/verify-email",
      id: "verifyEmail",
      summary: "Verify an e-mail address",
      description: "Marks the address of a mailed token as verified. Idempotent.",
      policy: { who: "anyone" },
      query: z.strictObject({ token: Token }),
      reply: Ok,
      errors: ["invalid_token"],
      handle: ({ app, caller, query }) => verifyEmail(app, caller, query.token),
    }),

    operation({
      route: "POST /auth/resend-verification",
      id: "resendVerification",
      summary: "Resend the verification mail",
      description:
        "Mails the verification link again, at most three times an hour, and within the limit of mails to the mailbox. Does nothing if the address is already verified.",
      policy: { who: "user" },
      reply: Ok,
      errors: ["rate_limited"],
      handle: ({ app, caller }) => resendVerification(app, caller),
    }),

    operation({
      route: "POST /auth/forgot-password",
      id: "forgotPassword",
      summary: "Request a password reset",
      description: "Mails a reset link if the address has an account. The response is the same either way.",
      policy: { who: "anyone" },
      body: ForgotPassword,
      reply: Ok,
      errors: ["rate_limited"],
      handle: ({ app, caller, body }) => forgotPassword(app, caller, body.email),
    }),

    operation({
      route: "POST /auth/reset-password",
      id: "resetPassword",
      summary: "Reset the password",
      description: "Consumes a mailed token, sets the password and ends every session of the account.",
      policy: { who: "anyone" },
      body: ResetPassword,
      limits: passwordLimits,
      reply: Ok,
      errors: ["invalid_token", "weak_password", "rate_limited"],
      handle: ({ app, caller, body }) => resetPassword(app, caller, body),
    }),
  ],
};
