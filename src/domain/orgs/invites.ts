import { type App, inSeconds, newId } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { mailboxKey } from "../../lib/mail/mailbox-key.ts";
import { hashToken, makeToken } from "../../lib/secrets/tokens.ts";
import { emailKey, updateUser } from "../../store/accounts/users.ts";
import { hasConfirmed } from "../../store/channels/email-recipients.ts";
import type { Db } from "../../store/open-store.ts";
import {
  closeInvite,
  findInviteByToken,
  type InviteRow,
  insertInvite,
  listPendingInvites,
  revokeExpiredInvites,
} from "../../store/orgs/invites.ts";
import { countMembers, findMember, findMemberByEmail, insertMember } from "../../store/orgs/members.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { Invite, InviteCreate, InvitePreview } from "../../wire/orgs/invites.ts";
import type { Tier } from "../../wire/primitives.ts";
import { recordAccessDenial } from "../access.ts";
import { isWithinLimit, throttle, throttleWith } from "../accounts/throttle.ts";
import type { Anyone, MemberCaller, UserCaller } from "../caller.ts";
import { requireVerified } from "../channels/verified-caller.ts";
import { inviteMail, linkTo, queueMail } from "../mail.ts";
import { inTransaction } from "../transaction.ts";

const inviteSeconds = 7 * 24 * 60 * 60;

/** Invites a person by mail. Without a mail server, the reply contains the link to pass on. */
export async function createInvite(app: App, caller: MemberCaller, input: InviteCreate): Promise<Invite> {
  await throttle(app, "invite_org", caller.org_id);
  await throttle(app, "invite_user", caller.user_id);
  // Without a mail server, nobody else gets the mail.
  if (app.mailer.kind === "smtp") await requireVerified(app.db, caller, "invite people");
  const token = makeToken(app.random);
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const row = await createRow(app, tx, caller, input, token);
    await limitInvites({ clock: app.clock, db: tx }, row);
    await queueMail(app, tx, inviteMail(app.config, row.email, { ...row, token }));
    audit({
      org_id: caller.org_id,
      action: "invite.created",
      subject: { type: "invite", id: row.id },
      details: { email: row.email, role: row.role },
    });
    hint({ topic: "mail.queued" });
    const invite_url = app.mailer.kind === "folder" ? linkTo(app.config, "invite", token) : null;
    return { ...toInvite(app, row), invite_url };
  });
}

/** Strangers must neither flood a mailbox with invites nor use up those of an org that the person knows. */
async function limitInvites(
  counting: Pick<App, "clock" | "db">,
  { org_id, email, email_key }: InviteRow,
): Promise<void> {
  const isKnown = await hasConfirmed(counting.db, org_id, email_key);
  if (isKnown && (await isWithinLimit(counting, "invite_confirmed", org_id, email_key))) return;
  const problem =
    `${email} was sent as many invites as all organisations together may send to a mailbox in 24 hours. ` +
    "A person who has confirmed that they want alerts of this organisation by mail can be invited all the same.";
  await throttleWith(counting, { name: "invite_mailbox", subject: [mailboxKey(email)], problem });
}

export async function listInvites(app: App, caller: MemberCaller): Promise<Invite[]> {
  const rows = await listPendingInvites(app.db, caller.org_id, app.clock.now());
  return rows.map((row) => toInvite(app, row));
}

export async function revokeInvite(app: App, caller: MemberCaller, invite_id: string): Promise<void> {
  await inTransaction(app, caller, async (tx, { audit }) => {
    if (!(await closeInvite(tx, caller.org_id, invite_id, "revoked"))) {
      throw new AppError("not_found", "There is no such pending invite.");
    }
    audit({ org_id: caller.org_id, action: "invite.revoked", subject: { type: "invite", id: invite_id } });
  });
}

export async function previewInvite(app: App, _caller: Anyone, token: string): Promise<InvitePreview> {
  return toInvitePreview(app, await findByToken(app.db, token));
}

/** Adds the caller to the org of an invite and makes it the active one. The address must be the invited one. */
export async function acceptInvite(app: App, caller: UserCaller, token: string): Promise<void> {
  const invite = await findByToken(app.db, token);
  if (invite.email_key !== emailKey(caller.email)) {
    const details = { operation: "acceptInvite", reason: "invite_email_mismatch" };
    await recordAccessDenial(app, caller, invite.org_id, details);
    throw new AppError(
      "invite_email_mismatch",
      `This invite is for ${invite.email}, but you are logged in as ${caller.email}.`,
    );
  }
  await inTransaction(app, caller, async (tx, { audit }) => {
    const org = await lockOrg(tx, invite.org_id);
    await recordAcceptance(app, tx, invite, caller.user_id);
    await requireMemberQuota(tx, org.id, org.tier, 0);
    await insertMember(tx, org.id, {
      user_id: caller.user_id,
      role: invite.role,
      joined_at: app.clock.now(),
    });
    await updateUser(tx, caller.user_id, { active_org_id: org.id });
    audit({
      org_id: org.id,
      action: "invite.accepted",
      subject: { type: "invite", id: invite.id },
      details: { email: invite.email, role: invite.role },
    });
  });
}

async function createRow(
  app: App,
  tx: Db,
  caller: MemberCaller,
  input: InviteCreate,
  token: string,
): Promise<InviteRow> {
  const now = app.clock.now();
  const email_key = emailKey(input.email);
  const org = await lockOrg(tx, caller.org_id);
  await revokeExpiredInvites(tx, org.id, now);
  if (await findMemberByEmail(tx, org.id, email_key)) {
    throw new AppError("already_member", `${input.email} is already a member.`);
  }
  const pending = await listPendingInvites(tx, org.id, now);
  await requireMemberQuota(tx, org.id, org.tier, pending.length);
  const row = await insertInvite(tx, {
    id: newId(app),
    org_id: org.id,
    email: input.email,
    email_key,
    role: input.role,
    token_hash: hashToken(token),
    status: "pending",
    invited_by: caller.user_id,
    created_at: now,
    expires_at: inSeconds(app, inviteSeconds),
  });
  if (!row)
    throw new AppError(
      "already_invited",
      `${input.email} already has a pending invite. Revoke it to send another.`,
    );
  return row;
}

async function recordAcceptance(app: App, tx: Db, invite: InviteRow, user_id: string): Promise<void> {
  if (invite.status === "pending" && invite.expires_at <= app.clock.now()) {
    throw new AppError("link_expired", "This invite has expired. Request a new one.");
  }
  if (!(await closeInvite(tx, invite.org_id, invite.id, "accepted"))) {
    throw new AppError("link_used", "This invite was already used or revoked. Ask for another.");
  }
  if (await findMember(tx, invite.org_id, user_id)) {
    throw new AppError("already_member", "You are already a member of this organisation.");
  }
}

async function requireMemberQuota(tx: Db, org_id: string, tier: Tier, pending: number): Promise<void> {
  const { members } = tierLimits[tier];
  if ((await countMembers(tx, org_id)) + pending < members) return;
  throw new AppError(
    "quota_exceeded",
    `The ${tierName(tier)} tier allows ${members} members. Remove one, or upgrade.`,
  );
}

async function findByToken(db: Db, token: string): Promise<InviteRow> {
  const row = await findInviteByToken(db, hashToken(token));
  if (!row) throw new AppError("not_found", "There is no such invite.");
  return row;
}

function toInvite(app: App, row: InviteRow): Invite {
  const { org_name: _, ...shared } = toInvitePreview(app, row);
  return { id: row.id, ...shared, created_at: row.created_at.toISOString(), invite_url: null };
}

function toInvitePreview(app: App, row: InviteRow): InvitePreview {
  const isExpired = row.status === "pending" && row.expires_at <= app.clock.now();
  return {
    org_name: row.org_name,
    email: row.email,
    role: row.role,
    invited_by: row.invited_by,
    expires_at: row.expires_at.toISOString(),
    status: isExpired ? "expired" : row.status,
  };
}
