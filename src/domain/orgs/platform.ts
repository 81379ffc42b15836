import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chainOf, chains } from "../../chains/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { countMails } from "../../store/accounts/mail.ts";
import { countUsers } from "../../store/accounts/users.ts";
import { clearDegraded } from "../../store/alerts/system-alerts.ts";
import { listChainSwitches, setChainSwitch } from "../../store/contracts/chain-switches.ts";
import { listProgress } from "../../store/engine/cursors.ts";
import { pendingMigrations } from "../../store/migrate.ts";
import type { Db } from "../../store/open-store.ts";
import { countMembers } from "../../store/orgs/members.ts";
import {
  countOrgs,
  findOrg,
  listOrgsUnscoped,
  lockOrg,
  type OrgRow,
  updateOrg,
} from "../../store/orgs/orgs.ts";
import type {
  AdminChain,
  AdminHealth,
  AdminOrg,
  AdminOrgQuery,
  AdminOrgUpdate,
} from "../../wire/accounts/admin.ts";
import type { StaffCaller, SystemCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { applyTierChange } from "./org-tier.ts";

export async function listAllOrgs(app: App, query: AdminOrgQuery): Promise<AdminOrg[]> {
  const rows = await listOrgsUnscoped(app.db, query);
  return rows.map((row) => toAdminOrg(row, row.members));
}

/** Sets tier or feature flags of any org, for staff and the command line. */
export async function changeAnyOrg(
  app: App,
  caller: StaffCaller | SystemCaller,
  org_id: string,
  input: AdminOrgUpdate,
): Promise<AdminOrg> {
  if (!(await findOrg(app.db, org_id))) throw new AppError("not_found", "There is no such organisation.");
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const before = await lockOrg(tx, org_id);
    const row = await updateOrg(tx, org_id, {
      ...(input.tier && { tier: input.tier }),
      ...(input.feature_flags && { feature_flags: { ...before.feature_flags, ...input.feature_flags } }),
    });
    await applyTierChange(tx, { audit, hint }, org_id, {
      from: before.tier,
      to: row.tier,
      at: app.clock.now(),
    });
    const subject = { type: "org", id: org_id };
    if (input.feature_flags)
      audit({ org_id, action: "org.flags_changed", subject, details: input.feature_flags });
    return toAdminOrg(row, await countMembers(tx, org_id));
  });
}

export async function listAllChains(app: App): Promise<AdminChain[]> {
  const [switches, progress] = await Promise.all([listChainSwitches(app.db), listProgress(app.db)]);
  const errors = new Map(progress.map(({ chain, last_error }) => [chain, last_error]));
  return chains.map((chain) =>
    toAdminChain(app, chain, switches.get(chain.chain), errors.get(chain.chain) ?? null),
  );
}

export async function switchChain(
  app: App,
  caller: StaffCaller,
  key: string,
  is_enabled: boolean,
): Promise<AdminChain> {
  const chain = chainOf(key);
  if (!chain) throw new AppError("not_found", "There is no such chain.");
  return inTransaction(app, caller, async (tx, { audit }) => {
    await setChainSwitch(tx, key, { is_enabled, changed_at: app.clock.now(), changed_by: caller.staff_id });
    if (is_enabled) await clearDegraded(tx, key);
    const action = is_enabled ? "chain.enabled" : "chain.disabled";
    audit({ org_id: null, action, subject: { type: "chain", id: key } });
    return toAdminChain(app, chain, is_enabled, await lastErrorOf(tx, key));
  });
}

export async function health(app: App): Promise<AdminHealth> {
  const [migrations, mail, users, orgs] = await Promise.all([
    pendingMigrations(app.db),
    countMails(app.db),
    countUsers(app.db),
    countOrgs(app.db),
  ]);
  return {
    version: app.config.version,
    uptime_seconds: Math.round(process.uptime()),
    memory_bytes: process.memoryUsage.rss(),
    pending_migrations: migrations,
    mail: { kind: app.mailer.kind, ...mail },
    users,
    orgs,
  };
}

function toAdminOrg(row: OrgRow, members: number): AdminOrg {
  const { id, name, tier, feature_flags } = row;
  return { id, name, tier, feature_flags, members, created_at: row.created_at.toISOString() };
}

async function lastErrorOf(db: Db, key: string): Promise<string | null> {
  return (await listProgress(db)).find(({ chain }) => chain === key)?.last_error ?? null;
}

/** A chain is enabled if it has an RPC URL and staff have not disabled it. */
function toAdminChain(
  app: App,
  chain: Chain,
  switched: boolean | undefined,
  last_error: string | null,
): AdminChain {
  const has_rpc = app.config.rpc.has(chain.chain);
  return {
    chain: chain.chain,
    chain_id: chain.chain_id,
    name: chain.name,
    has_rpc,
    is_enabled: has_rpc && switched !== false,
    last_error,
  };
}
