import { z } from "zod";
import * as invites from "../../../domain/orgs/invites.ts";
import { Invite, InviteCreate, InvitePreview } from "../../../wire/orgs/invites.ts";
import { type Group, operation } from "../../operation.ts";

const admin = { who: "org", org: "path", role: "admin", keys: false } as const;

export const invitations: Group = {
  tag: "Invites",
  about: "Bringing people into an organisation.",
  operations: [
    operation({
      route: "POST /orgs/{org_id}/invites",
      id: "createInvite",
      summary: "Invite somebody",
      description: "Mails a link that works once, for 7 days. Needs the Team tier or above.",
      policy: { ...admin, tier: "team" },
      body: InviteCreate,
      status: 201,
      reply: Invite,
      errors: ["already_member", "already_invited", "quota_exceeded", "rate_limited"],
      handle: ({ app, caller, body }) => invites.createInvite(app, caller, body),
    }),

    operation({
      route: "GET /orgs/{org_id}/invites",
      id: "listInvites",
      summary: "List pending invites",
      description: "Those that can still be accepted, newest first.",
      policy: admin,
      reply: z.array(Invite),
      handle: ({ app, caller }) => invites.listInvites(app, caller),
    }),

    operation({
      route: "DELETE /orgs/{org_id}/invites/{invite_id}",
      id: "revokeInvite",
      summary: "Revoke an invite",
      description: "The link stops working at once.",
      policy: admin,
      status: 204,
      reply: null,
      handle: ({ app, caller, params }) => invites.revokeInvite(app, caller, params.invite_id),
    }),

    operation({
      route: "GET /invites/{token}",
      id: "previewInvite",
      summary: "See an invite",
      description: "What the invited person sees before they accept. Changes nothing.",
      policy: { who: "link" },
      reply: InvitePreview,
      handle: ({ app, caller, params }) => invites.previewInvite(app, caller, params.token),
    }),

    operation({
      route: "POST /invites/{token}/accept",
      id: "acceptInvite",
      summary: "Accept an invite",
      description: "Joins the organisation and makes it the active one. Only the invited address may.",
      policy: { who: "user" },
      status: 204,
      reply: null,
      errors: ["invite_email_mismatch", "link_used", "link_expired", "already_member", "quota_exceeded"],
      handle: ({ app, caller, params }) => invites.acceptInvite(app, caller, params.token),
    }),
  ],
};
