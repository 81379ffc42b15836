import { type App, newId } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { lockUser, updateUser } from "../../store/accounts/users.ts";
import type { Db } from "../../store/open-store.ts";
import { insertMember } from "../../store/orgs/members.ts";
import {
  findOrg,
  insertOrg,
  listOrgsOf,
  lockOrg,
  type OrgRow,
  type OrgWithRole,
  updateOrg,
} from "../../store/orgs/orgs.ts";
import type { Business, Org, OrgCreate, OrgSummary, OrgUpdate } from "../../wire/orgs/orgs.ts";
import type { Role } from "../../wire/primitives.ts";
import { throttle } from "../accounts/throttle.ts";
import type { MemberCaller, OrgCaller, UserCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

/** Far above what a user needs; prevents an account from filling the database with orgs. */
const maxOrgsPerUser = 100;

const noBusiness: Business = {
  legal_name: null,
  website: null,
  country: null,
  tax_id: null,
  address: null,
  billing_email: null,
};

export async function listOrgs(app: App, caller: UserCaller): Promise<OrgSummary[]> {
  const rows = await listOrgsOf(app.db, caller.user_id);
  return rows.map((row) => toSummary(row, row.role));
}

/** Creates an org with the caller as admin. The active org does not change. */
export async function createOrg(app: App, caller: UserCaller, input: OrgCreate): Promise<Org> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    await lockUser(tx, caller.user_id);
    await throttle({ clock: app.clock, db: tx }, "org_user", caller.user_id);
    const existing = await listOrgsOf(tx, caller.user_id);
    if (existing.length >= maxOrgsPerUser) {
      throw new AppError(
        "quota_exceeded",
        `A user can belong to at most ${maxOrgsPerUser} organisations. Leave one first.`,
      );
    }
    const row = await insertOrg(tx, newOrg(app, input));
    await insertMember(tx, row.id, { user_id: caller.user_id, role: "admin", joined_at: app.clock.now() });
    audit({
      org_id: row.id,
      action: "org.created",
      subject: { type: "org", id: row.id },
      details: { name: row.name },
    });
    return toOrg(row, "admin");
  });
}

/** Creates the personal org of a new user, with the user as admin and the org as the active one. */
export async function createOrgForUser(app: App, tx: Db, user_id: string, input: OrgCreate): Promise<OrgRow> {
  const row = await insertOrg(tx, newOrg(app, input));
  await insertMember(tx, row.id, { user_id, role: "admin", joined_at: app.clock.now() });
  await updateUser(tx, user_id, { active_org_id: row.id });
  return row;
}

export async function getOrg(app: App, caller: OrgCaller): Promise<Org> {
  const row = await findOrg(app.db, caller.org_id);
  if (!row) throw new AppError("not_found", "There is no such organisation.");
  return toOrg(row, caller.role);
}

export async function changeOrg(app: App, caller: OrgCaller, input: OrgUpdate): Promise<Org> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    const before = await lockOrg(tx, caller.org_id);
    const row = await updateOrg(tx, caller.org_id, {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.business && { business: { ...before.business, ...input.business } }),
    });
    audit({
      org_id: row.id,
      action: "org.updated",
      subject: { type: "org", id: row.id },
      details: {
        fields: [...Object.keys(input), ...Object.keys(input.business ?? {}).map((key) => `business.${key}`)],
      },
    });
    return toOrg(row, caller.role);
  });
}

/** Makes an org the active one of the caller. */
export async function switchOrg(app: App, caller: MemberCaller): Promise<void> {
  await inTransaction(app, caller, async (tx) => {
    await updateUser(tx, caller.user_id, { active_org_id: caller.org_id });
  });
}

function newOrg(app: App, input: OrgCreate) {
  return {
    id: newId(app),
    name: input.name,
    tier: app.config.defaultTier,
    business: JSON.stringify(input.business ?? {}),
    polling_interval_seconds: null,
    feature_flags: "{}",
    created_at: app.clock.now(),
  };
}

function toSummary(row: OrgRow | OrgWithRole, role: Role): OrgSummary {
  return { id: row.id, name: row.name, tier: row.tier, role, created_at: row.created_at.toISOString() };
}

function toOrg(row: OrgRow, role: Role): Org {
  return { ...toSummary(row, role), business: { ...noBusiness, ...(row.business as Partial<Business>) } };
}
