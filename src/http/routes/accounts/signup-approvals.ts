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
      summary: "See who asks for an account",
      description: "Changes nothing, however often it is opened. 410 once the request was decided.",
      policy: { who: "link" },
      reply: SignupApproval,
      errors: ["link_used", "link_expired"],
      handle: ({ app, caller, params }) => previewApproval(app, caller, params.token),
    }),

    operation({
      route: "POST /signup-approvals/{token}/approve",
      id: "approveSignup",
      summary: "Approve an account",
      description: "Works once; recorded in the audit log with no admin and the method `email_link`.",
      policy: { who: "link" },
      reply: User,
      errors: ["link_used", "link_expired"],
      handle: ({ app, caller, params }) => approveByLink(app, caller, params.token),
    }),
  ],
};
