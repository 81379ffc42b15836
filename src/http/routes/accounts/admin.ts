import { z } from "zod";
import { endSessions } from "../../../domain/accounts/sessions.ts";
import { decideByStaff, listSignups } from "../../../domain/accounts/signup-approvals.ts";
import { logInStaff } from "../../../domain/accounts/staff.ts";
import * as platform from "../../../domain/orgs/platform.ts";
import {
  AdminChain,
  AdminChainUpdate,
  AdminHealth,
  AdminOrg,
  AdminOrgQuery,
  AdminOrgUpdate,
  AdminSignup,
  AdminSignupQuery,
  StaffMember,
} from "../../../wire/accounts/admin.ts";
import { LogIn, User } from "../../../wire/accounts/auth.ts";
import { type Group, operation, passwordLimits } from "../../operation.ts";

const staff = { who: "staff" } as const;

/** Operations for platform staff; the public OpenAPI document omits everything under /admin. */
export const administration: Group = {
  tag: "Administration",
  about: "Operations for platform staff.",
  operations: [
    operation({
      route: "POST /admin/login",
      id: "logInStaff",
      summary: "Log in as staff",
      description: "Starts a staff session and sets the cookie `admin_token`.",
      policy: { who: "anyone" },
      body: LogIn,
      limits: passwordLimits,
      reply: StaffMember,
      errors: ["invalid_credentials", "rate_limited"],
      async handle({ app, caller, body, cookies }) {
        const { staff: member, token } = await logInStaff(app, caller, body);
        await endSessions(app, { staff: cookies.get("staff") });
        cookies.set("staff", token);
        return member;
      },
    }),

    operation({
      route: "GET /admin/signups",
      id: "listSignups",
      summary: "List sign-ups",
      description: "Returns sign-ups with the given status, oldest first.",
      policy: staff,
      query: AdminSignupQuery,
      reply: z.array(AdminSignup),
      handle: ({ app, query }) => listSignups(app, query),
    }),

    operation({
      route: "POST /admin/signups/{signup_id}/approve",
      id: "approveSignupAsStaff",
      summary: "Approve a sign-up",
      description: "Activates the account. Responds with 410 if the sign-up was already decided.",
      policy: staff,
      reply: User,
      errors: ["link_used"],
      handle: ({ app, caller, params }) => decideByStaff(app, caller, params.signup_id, "approved"),
    }),

    operation({
      route: "POST /admin/signups/{signup_id}/reject",
      id: "rejectSignupAsStaff",
      summary: "Reject a sign-up",
      description: "Rejects the account. Responds with 410 if the sign-up was already decided.",
      policy: staff,
      reply: User,
      errors: ["link_used"],
      handle: ({ app, caller, params }) => decideByStaff(app, caller, params.signup_id, "rejected"),
    }),

    operation({
      route: "GET /admin/orgs",
      id: "listAllOrgs",
      summary: "List organisations",
      description: "Returns all organisations, newest first.",
      policy: staff,
      query: AdminOrgQuery,
      reply: z.array(AdminOrg),
      handle: ({ app, query }) => platform.listAllOrgs(app, query),
    }),

    operation({
      route: "PATCH /admin/orgs/{org_id}",
      id: "updateAnyOrg",
      summary: "Set tier or feature flags",
      description:
        "Changes the tier or the feature flags, and records it in the audit log of the organisation.",
      policy: staff,
      body: AdminOrgUpdate,
      reply: AdminOrg,
      handle: ({ app, caller, params, body }) => platform.changeAnyOrg(app, caller, params.org_id, body),
    }),

    operation({
      route: "GET /admin/chains",
      id: "listAllChains",
      summary: "List chains",
      description: "Returns every chain of the registry and whether it is enabled.",
      policy: staff,
      reply: z.array(AdminChain),
      handle: ({ app }) => platform.listAllChains(app),
    }),

    operation({
      route: "PATCH /admin/chains/{chain}",
      id: "switchChain",
      summary: "Enable or disable a chain",
      description: "Starts or stops following a chain. A chain without an RPC URL cannot be enabled.",
      policy: staff,
      body: AdminChainUpdate,
      reply: AdminChain,
      handle: ({ app, caller, params, body }) =>
        platform.switchChain(app, caller, params.chain, body.is_enabled),
    }),

    operation({
      route: "GET /admin/health",
      id: "getHealth",
      summary: "Get the health of the service",
      description: "Returns version, uptime, memory, pending migrations, mail queue and row counts.",
      policy: staff,
      reply: AdminHealth,
      handle: ({ app }) => platform.health(app),
    }),
  ],
};
