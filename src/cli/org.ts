import { loadConfig } from "../config.ts";
import { systemCaller } from "../domain/caller.ts";
import { changeAnyOrg } from "../domain/platform.ts";
import { withApp } from "../main.ts";
import { Tier } from "../wire/primitives.ts";
import { findOrgId } from "./acting-org.ts";
import { type Command, UsageError } from "./command.ts";

export const org: Command = {
  name: "org",
  usage: "tier <org id or an admin's e-mail> <free|pro|team|enterprise>",
  summary: "Set an organisation's tier",
  async run([verb, subject, tierName, ...rest]) {
    const tier = Tier.safeParse(tierName);
    if (verb !== "tier" || !subject || rest.length > 0)
      throw new UsageError("say `org tier`, an organisation and a tier.");
    if (!tier.success) throw new UsageError(`${tierName ?? "nothing"} is not a tier.`);
    const changed = await withApp(loadConfig(), async (app) => {
      const org_id = await findOrgId(app, subject);
      return changeAnyOrg(app, systemCaller, org_id, { tier: tier.data });
    });
    console.log(`${changed.name} (${changed.id}) is on the tier ${changed.tier} now.`);
  },
};
