import { z } from "zod";
import { deleteOrg } from "../../../domain/orgs/delete-org.ts";
import { changeRole, leaveOrg, listMembers, removeMember } from "../../../domain/orgs/members.ts";
import { changeSettings, getSettings } from "../../../domain/orgs/org-settings.ts";
import * as orgs from "../../../domain/orgs/orgs.ts";
import {
  Member,
  MemberUpdate,
  Org,
  OrgCreate,
  OrgSettings,
  OrgSettingsUpdate,
  OrgSummary,
  OrgUpdate,
} from "../../../wire/orgs/orgs.ts";
import { type Group, operation } from "../../operation.ts";

const anyMember = { who: "org", org: "path", role: "viewer", keys: true, scope: "unrelated" } as const;
const person = { who: "org", org: "path", role: "viewer", keys: false } as const;
const admin = { who: "org", org: "path", role: "admin", keys: false } as const;

export const organisations: Group = {
  tag: "Organisations",
  about: "Organisations, their members and their settings.",
  operations: [
    operation({
      route: "GET /orgs",
      id: "listOrgs",
      summary: "List organisations",
      description: "Returns the organisations of the caller, oldest membership first.",
      policy: { who: "user" },
      reply: z.array(OrgSummary),
      handle: ({ app, caller }) => orgs.listOrgs(app, caller),
    }),

    operation({
      route: "POST /orgs",
      id: "createOrg",
      summary: "Create an organisation",
      description:
        "Creates an organisation with the caller as its admin. The active organisation does not change.",
      policy: { who: "user" },
      body: OrgCreate,
      status: 201,
      reply: Org,
      errors: ["quota_exceeded", "rate_limited"],
      handle: ({ app, caller, body }) => orgs.createOrg(app, caller, body),
    }),

    operation({
      route: "GET /orgs/{org_id}",
      id: "getOrg",
      summary: "Get an organisation",
      description: "Returns the organisation with its business details. Any member may call it.",
      policy: anyMember,
      reply: Org,
      handle: ({ app, caller }) => orgs.getOrg(app, caller),
    }),

    operation({
      route: "PATCH /orgs/{org_id}",
      id: "updateOrg",
      summary: "Update an organisation",
      description:
        "Changes name and business details. Omitted fields keep their value; null clears a business detail. Admins only.",
      policy: admin,
      body: OrgUpdate,
      reply: Org,
      handle: ({ app, caller, body }) => orgs.changeOrg(app, caller, body),
    }),

    operation({
      route: "POST /orgs/{org_id}/switch",
      id: "switchOrg",
      summary: "Switch the active organisation",
      description: "Makes the organisation the active one of the caller.",
      policy: person,
      status: 204,
      reply: null,
      handle: ({ app, caller }) => orgs.switchOrg(app, caller),
    }),

    operation({
      route: "POST /orgs/{org_id}/leave",
      id: "leaveOrg",
      summary: "Leave an organisation",
      description:
        "Ends the membership of the caller, with their access grants. Another of their organisations becomes the active one. The last " +
        "admin cannot leave: 409 `last_admin`.",
      policy: person,
      status: 204,
      reply: null,
      errors: ["last_admin"],
      handle: ({ app, caller }) => leaveOrg(app, caller),
    }),

    operation({
      route: "DELETE /orgs/{org_id}",
      id: "deleteOrg",
      summary: "Delete an organisation",
      description:
        "Deletes the contracts, targets, rules, channels, silences and policies, revokes the API keys and invites, and ends all memberships. " +
        "Alerts and deliveries can no longer be read and are deleted by the retention of the Free tier, within 7 days. The audit log " +
        "is kept for the operator. Nothing can be restored, so the name must be repeated. A subscription must be cancelled first: 409 " +
        "`subscription_active`. Admins only.",
      policy: admin,
      query: z.strictObject({
        name: z
          .string()
          .max(200)
          .describe("The name of the organisation.")
          .meta({ examples: ["Acme"] }),
      }),
      limits: { deadlineMs: 30_000 },
      status: 204,
      reply: null,
      errors: ["subscription_active"],
      handle: ({ app, caller, query }) => deleteOrg(app, caller, query),
    }),

    operation({
      route: "GET /orgs/{org_id}/members",
      id: "listMembers",
      hasLargeReply: true,
      summary: "List members",
      description: "Returns the members, oldest membership first. Any member may call it.",
      policy: anyMember,
      reply: z.array(Member),
      handle: ({ app, caller }) => listMembers(app, caller),
    }),

    operation({
      route: "PATCH /orgs/{org_id}/members/{user_id}",
      id: "updateMember",
      summary: "Update the role of a member",
      description:
        "Takes effect on the next request of the member. The last admin cannot be demoted. Admins only.",
      policy: admin,
      body: MemberUpdate,
      reply: Member,
      errors: ["last_admin"],
      handle: ({ app, caller, params, body }) => changeRole(app, caller, params.user_id, body.role),
    }),

    operation({
      route: "DELETE /orgs/{org_id}/members/{user_id}",
      id: "removeMember",
      summary: "Remove a member",
      description:
        "Takes effect on the next request of the member. The last admin cannot be removed. Admins only.",
      policy: admin,
      status: 204,
      reply: null,
      errors: ["last_admin"],
      handle: ({ app, caller, params }) => removeMember(app, caller, params.user_id),
    }),

    operation({
      route: "GET /orgs/{org_id}/settings",
      id: "getOrgSettings",
      summary: "Get the settings of an organisation",
      description: "Returns the polling interval and the bounds of the tier.",
      policy: anyMember,
      reply: OrgSettings,
      handle: ({ app, caller }) => getSettings(app, caller),
    }),

    operation({
      route: "PATCH /orgs/{org_id}/settings",
      id: "updateOrgSettings",
      summary: "Update the settings of an organisation",
      description:
        "Sets the polling interval. Responds with 422 if it is outside the bounds of the tier. Admins only.",
      policy: admin,
      body: OrgSettingsUpdate,
      reply: OrgSettings,
      handle: ({ app, caller, body }) => changeSettings(app, caller, body),
    }),
  ],
};
