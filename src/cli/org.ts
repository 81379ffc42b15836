import type { App } from "../app.ts";
import { loadConfig } from "../config.ts";
import { systemCaller } from "../domain/caller.ts";
import { changeAnyOrg } from "../domain/platform.ts";
import { OperatorError } from "../lib/errors.ts";
import { withApp } from "../main.ts";
import { listOrgsOf } from "../store/orgs.ts";
import { findUserByEmail } from "../store/users.ts";
import { Id, Tier } from "../wire/primitives.ts";
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
      const org_id = Id.safeParse(subject).success ? subject : await onlyOrgOf(app, subject);
      return changeAnyOrg(app, systemCaller, org_id, { tier: tier.data });
    });
    console.log(`${changed.name} (${changed.id}) is on the tier ${changed.tier} now.`);
  },
};

async function onlyOrgOf(app: App, email: string): Promise<string> {
  const user = await findUserByEmail(app.db, email);
  if (!user) throw new OperatorError(`There is no account with the address ${email}.`);
  const orgs = (await listOrgsOf(app.db, user.id)).filter((one) => one.role === "admin");
  if (orgs.length === 1 && orgs[0]) return orgs[0].id;
  const choices = orgs.map((one) => `${one.id} (${one.name})`).join(", ");
  throw new OperatorError(`${email} is admin of ${orgs.length} organisations. Name one by id: ${choices}.`);
}
