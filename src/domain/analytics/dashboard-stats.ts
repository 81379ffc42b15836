import { type App, inSeconds } from "../../app.ts";
import { AppError } from "../../errors/app-error.ts";
import { countForDashboard } from "../../store/analytics/dashboard-stats.ts";
import { findOrg } from "../../store/orgs/orgs.ts";
import type { Viewer } from "../../store/viewer.ts";
import { tierLimits } from "../../tiers.ts";
import type { DashboardStats } from "../../wire/analytics/dashboard-stats.ts";
import { listEnabledChains } from "../contracts/chains.ts";

const day = 24 * 60 * 60;

/** Returns the dashboard statistics over the contracts that the viewer can see. */
export async function dashboardStats(app: App, viewer: Viewer): Promise<DashboardStats> {
  const [org, row, chains] = await Promise.all([
    findOrg(app.db, viewer.org_id),
    countForDashboard(app.db, viewer, inSeconds(app, -day)),
    listEnabledChains(app),
  ]);
  if (!org) throw new AppError("not_found", "There is no such organisation.");
  const limits = tierLimits[org.tier];
  const { total, monitoring, pending, paused, error, info, warning, critical, sent, failed } = row;
  return {
    contracts: { total, monitoring, pending, paused, error },
    rules: { total: row.rules, enabled: row.rules_enabled, firing: row.rules_firing },
    alerts_24h: { info, warning, critical },
    deliveries_24h: { sent, failed },
    chains: chains
      .filter(({ chain_id }) => viewer.chain_scope?.includes(chain_id) ?? true)
      .map(({ chain, state, lag_seconds }) => ({ chain, state, lag_seconds })),
    quota: {
      contracts: { used: total, limit: finite(limits.contracts) },
      rules: { used: row.rules, limit: finite(limits.rules) },
    },
  };
}

/** Returns null for an infinite limit, which JSON cannot represent. */
function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}
