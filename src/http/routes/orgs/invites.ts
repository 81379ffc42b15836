import { z } from "zod";
import * as invites from "../../../domain/orgs/invites.ts";
import { Invite, InviteCreate, InvitePreview } from "../../../wire/orgs/invites.ts";
import { type Group, operation } from "../../operation.ts";

const admin = { who: "org", org: "path", role: "admin", keys: false } as const;

export const invitations: Group = {
  tag: "Invites",
  about: "Invitations to join an organisation.",
  operations: [
    operation({
      route: "POST /orgs/{org_id}/invites",
      id: "createInvite",
      summary: "Create an invite",
      description:
        "Mails a single-use link that expires after 7 days. Requires the Team tier or above. Admins only, and with a mail server only those " +
        "with a verified address. All organisations together can mail five invites a day to one mailbox; further ones need its confirmation that it wants alerts of the " +
        "organisation by mail.",
      policy: { ...admin, tier: "team" },
      body: InviteCreate,
      status: 201,
      reply: Invite,
      errors: [
        "already_member",
        "already_invited",
        "quota_exceeded",
        "verification_required",
        "rate_limited",
      ],
      handle: ({ app, caller, body }) => invites.createInvite(app, caller, body),
    }),

    operation({
      route: "GET /orgs/{org_id}/invites",
      id: "listInvites",
      hasLargeReply: true,
      summary: "List pending invites",
      description: "Returns the invites that can still be accepted, newest first. Admins only.",
      policy: admin,
      reply: z.array(Invite),
      handle: ({ app, caller }) => invites.listInvites(app, caller),
    }),

    operation({
      route: "DELETE /orgs/{org_id}/invites/{invite_id}",
      id: "revokeInvite",
      summary: "Revoke an invite",
      description: "Invalidates the link immediately. Admins only.",
      policy: admin,
      status: 204,
      reply: null,
      handle: ({ app, caller, params }) => invites.revokeInvite(app, caller, params.invite_id),
    }),

    operation({
      route: "GET /invites/{token}",
      id: "previewInvite",
      summary: "Preview an invite",
      description: "Returns the invite of the token without accepting it. Needs no account.",
      policy: { who: "link" },
      reply: InvitePreview,
      handle: ({ app, caller, params }) => invites.previewInvite(app, caller, params.token),
    }),

    operation({
      route: "POST /invites/{token}/accept",
      id: "acceptInvite",
      summary: "Accept an invite",
      description:
        "Adds the caller to the organisation and makes it the active one. The e-mail address of the caller must be the invited one.",
      policy: { who: "user" },
      status: 204,
      reply: null,
      errors: ["invite_email_mismatch", "link_used", "link_expired", "already_member", "quota_exceeded"],
      handle: ({ app, caller, params }) => invites.acceptInvite(app, caller, params.token),
    }),
  ],
};
