import { loadConfig } from "../config.ts";
import { systemCaller } from "../domain/caller.ts";
import { changeAnyOrg } from "../domain/orgs/platform.ts";
import { withApp } from "../main.ts";
import { Tier } from "../wire/primitives.ts";
import { findOrgId } from "./acting-org.ts";
import { UsageError } from "./command.ts";

/** Sets the tier of an org, like the staff API. */
export async function run([verb, subject, tierName, ...rest]: string[]): Promise<void> {
  const tier = Tier.safeParse(tierName);
  if (verb !== "tier" || !subject || rest.length > 0)
    throw new UsageError("expected `org tier`, an organisation and a tier.");
  if (!tier.success) throw new UsageError(`${tierName ?? "nothing"} is not a tier.`);
  const changed = await withApp(loadConfig(), async (app) => {
    const org_id = await findOrgId(app, subject);
    return changeAnyOrg(app, systemCaller, org_id, { tier: tier.data });
  });
  console.log(`${changed.name} (${changed.id}) is now on the tier ${changed.tier}.`);
}
