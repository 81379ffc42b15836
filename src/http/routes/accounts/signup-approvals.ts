import { approveByLink, previewApproval } from "../../../domain/accounts/signup-approvals.ts";
import { SignupApproval, User } from "../../../wire/accounts/auth.ts";
import { type Group, operation } from "../../operation.ts";

export const signupApprovals: Group = {
  tag: "Sign-up approvals",
  about: "Links mailed to platform staff when accounts need approval.",
  operations: [
    operation({
      route: "GET /signup-approvals/{token}",
      id: "previewSignupApproval",
      summary: "Preview a sign-up approval",
      description:
        "Returns the sign-up of a mailed link without deciding it. Responds with 410 once it has been decided.",
      policy: { who: "link" },
      reply: SignupApproval,
      errors: ["link_used", "link_expired"],
      handle: ({ app, caller, params }) => previewApproval(app, caller, params.token),
    }),

    operation({
      route: "POST /signup-approvals/{token}/approve",
      id: "approveSignup",
      summary: "Approve a sign-up",
      description:
        "Activates the account. The link works once. The audit log records the method `email_link` without an admin.",
      policy: { who: "link" },
      reply: User,
      errors: ["link_used", "link_expired"],
      handle: ({ app, caller, params }) => approveByLink(app, caller, params.token),
    }),
  ],
};
