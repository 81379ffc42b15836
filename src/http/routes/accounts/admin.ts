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
import { type Group, operation } from "../../operation.ts";

const staff = { who: "staff" } as const;

/** Platform staff's own operations; the public description leaves everything under /admin out. */
export const administration: Group = {
  tag: "Administration",
  about: "For platform staff.",
  operations: [
    operation({
      route: "POST /admin/login",
      id: "logInStaff",
      summary: "Sign in as staff",
      description: "Sets the cookie `admin_token`.",
      policy: { who: "anyone" },
      body: LogIn,
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
      description: "Oldest first.",
      policy: staff,
      query: AdminSignupQuery,
      reply: z.array(AdminSignup),
      handle: ({ app, query }) => listSignups(app, query),
    }),

    operation({
      route: "POST /admin/signups/{signup_id}/approve",
      id: "approveSignupAsStaff",
      summary: "Approve a sign-up",
      description: "410 once decided.",
      policy: staff,
      reply: User,
      errors: ["link_used"],
      handle: ({ app, caller, params }) => decideByStaff(app, caller, params.signup_id, "approved"),
    }),

    operation({
      route: "POST /admin/signups/{signup_id}/reject",
      id: "rejectSignupAsStaff",
      summary: "Reject a sign-up",
      description: "410 once decided.",
      policy: staff,
      reply: User,
      errors: ["link_used"],
      handle: ({ app, caller, params }) => decideByStaff(app, caller, params.signup_id, "rejected"),
    }),

    operation({
      route: "GET /admin/orgs",
      id: "listAllOrgs",
      summary: "List organisations",
      description: "Newest first.",
      policy: staff,
      query: AdminOrgQuery,
      reply: z.array(AdminOrg),
      handle: ({ app, query }) => platform.listAllOrgs(app, query),
    }),

    operation({
      route: "PATCH /admin/orgs/{org_id}",
      id: "updateAnyOrg",
      summary: "Set tier or feature flags",
      description: "Written to the organisation's audit log.",
      policy: staff,
      body: AdminOrgUpdate,
      reply: AdminOrg,
      handle: ({ app, caller, params, body }) => platform.changeAnyOrg(app, caller, params.org_id, body),
    }),

    operation({
      route: "GET /admin/chains",
      id: "listAllChains",
      summary: "List chains",
      description: "Every chain of the registry and whether it runs here.",
      policy: staff,
      reply: z.array(AdminChain),
      handle: ({ app }) => platform.listAllChains(app),
    }),

    operation({
      route: "PATCH /admin/chains/{chain}",
      id: "switchChain",
      summary: "Enable or disable a chain",
      description: "A chain without an RPC URL stays off.",
      policy: staff,
      body: AdminChainUpdate,
      reply: AdminChain,
      handle: ({ app, caller, params, body }) =>
        platform.switchChain(app, caller, params.chain, body.is_enabled),
    }),

    operation({
      route: "GET /admin/health",
      id: "getHealth",
      summary: "See how the service is",
      description: "Version, uptime, memory, migrations, mail and sizes.",
      policy: staff,
      reply: AdminHealth,
      handle: ({ app }) => platform.health(app),
    }),
  ],
};
