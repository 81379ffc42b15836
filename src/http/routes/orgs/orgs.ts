import { z } from "zod";
import { changeRole, listMembers, removeMember } from "../../../domain/orgs/members.ts";
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
      summary: "List my organisations",
      description: "Every organisation that the caller belongs to, the longest-standing membership first.",
      policy: { who: "user" },
      reply: z.array(OrgSummary),
      handle: ({ app, caller }) => orgs.listOrgs(app, caller),
    }),

    operation({
      route: "POST /orgs",
      id: "createOrg",
      summary: "Found an organisation",
      description: "The caller becomes its admin. The active organisation stays as it is.",
      policy: { who: "user" },
      body: OrgCreate,
      status: 201,
      reply: Org,
      errors: ["quota_exceeded"],
      handle: ({ app, caller, body }) => orgs.createOrg(app, caller, body),
    }),

    operation({
      route: "GET /orgs/{org_id}",
      id: "getOrg",
      summary: "Get an organisation",
      description: "With its business details; for any member.",
      policy: anyMember,
      reply: Org,
      handle: ({ app, caller }) => orgs.getOrg(app, caller),
    }),

    operation({
      route: "PATCH /orgs/{org_id}",
      id: "updateOrg",
      summary: "Change name or business details",
      description: "Fields that are left out keep their value; null clears a business detail.",
      policy: admin,
      body: OrgUpdate,
      reply: Org,
      handle: ({ app, caller, body }) => orgs.changeOrg(app, caller, body),
    }),

    operation({
      route: "POST /orgs/{org_id}/switch",
      id: "switchOrg",
      summary: "Act for an organisation",
      description: "Makes it the caller's active organisation.",
      policy: person,
      status: 204,
      reply: null,
      handle: ({ app, caller }) => orgs.switchOrg(app, caller),
    }),

    operation({
      route: "GET /orgs/{org_id}/members",
      id: "listMembers",
      summary: "List members",
      description: "For any member, the longest-standing first.",
      policy: anyMember,
      reply: z.array(Member),
      handle: ({ app, caller }) => listMembers(app, caller),
    }),

    operation({
      route: "PATCH /orgs/{org_id}/members/{user_id}",
      id: "updateMember",
      summary: "Change a member's role",
      description: "The last admin stays one. Takes effect on the member's next request.",
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
      description: "The last admin cannot be removed. Takes effect on the member's next request.",
      policy: admin,
      status: 204,
      reply: null,
      errors: ["last_admin"],
      handle: ({ app, caller, params }) => removeMember(app, caller, params.user_id),
    }),

    operation({
      route: "GET /orgs/{org_id}/settings",
      id: "getOrgSettings",
      summary: "Get settings",
      description: "The polling interval in force and the bounds that the tier sets.",
      policy: anyMember,
      reply: OrgSettings,
      handle: ({ app, caller }) => getSettings(app, caller),
    }),

    operation({
      route: "PATCH /orgs/{org_id}/settings",
      id: "updateOrgSettings",
      summary: "Change settings",
      description: "422 when the interval is outside the bounds of the tier.",
      policy: admin,
      body: OrgSettingsUpdate,
      reply: OrgSettings,
      handle: ({ app, caller, body }) => changeSettings(app, caller, body),
    }),
  ],
};
