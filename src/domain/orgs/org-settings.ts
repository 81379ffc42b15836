import type { App } from "../../app.ts";
import { AppError, InvalidRequest } from "../../errors/app-error.ts";
import { recordOrgWatchChange } from "../../store/engine/watch.ts";
import { findOrg, lockOrg, type OrgRow, updateOrg } from "../../store/orgs/orgs.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { OrgSettings, OrgSettingsUpdate } from "../../wire/orgs/orgs.ts";
import type { OrgCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";

export async function getSettings(app: App, caller: OrgCaller): Promise<OrgSettings> {
  const row = await findOrg(app.db, caller.org_id);
  if (!row) throw new AppError("not_found", "There is no such organisation.");
  return toSettings(row);
}

export async function changeSettings(
  app: App,
  caller: OrgCaller,
  input: OrgSettingsUpdate,
): Promise<OrgSettings> {
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    const before = await lockOrg(tx, caller.org_id);
    requireWithinTier(before, input.polling_interval_seconds);
    const row = await updateOrg(tx, caller.org_id, input);
    await recordOrgWatchChange(tx, caller.org_id);
    // Policies whose window did not fit the interval before are tried again.
    hint({ topic: "policy.changed" });
    audit({
      org_id: row.id,
      action: "org.settings_updated",
      subject: { type: "org", id: row.id },
      details: { polling_interval_seconds: input.polling_interval_seconds },
    });
    return toSettings(row);
  });
}

/** The effective interval: after a downgrade, the stored value is clamped to what the tier allows. */
function toSettings(row: OrgRow): OrgSettings {
  const { min, max, default: defaultSeconds } = tierLimits[row.tier].pollingSeconds;
  return {
    polling_interval_seconds: Math.max(min, row.polling_interval_seconds ?? defaultSeconds),
    min_polling_interval_seconds: min,
    max_polling_interval_seconds: max,
  };
}

function requireWithinTier(row: OrgRow, seconds: number): void {
  const { min, max } = tierLimits[row.tier].pollingSeconds;
  if (seconds >= min && seconds <= max) return;
  const msg = `must be between ${min} and ${max} on the ${tierName(row.tier)} tier`;
  const type = seconds < min ? "greater_than_equal" : "less_than_equal";
  throw new InvalidRequest([{ loc: ["body", "polling_interval_seconds"], msg, type }]);
}
