import { readRemote } from "../../config.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import type { ConfigApply, ConfigDocument, ConfigPlan } from "../../wire/imports/configuration.ts";
import { makeRemoteClient } from "../remote/client.ts";

/** The configuration of one org: in the database of this machine, or behind the API of a service. */
export type ConfigurationSource = {
  read(): Promise<ConfigDocument>;
  apply(input: ConfigApply, dryRun: boolean): Promise<ConfigPlan>;
};

/** Opens the service of TOCSIN_URL, or the database if that is not set. */
export async function openConfiguration(org: string | undefined): Promise<ConfigurationSource> {
  const remote = readRemote();
  if (!remote) return localConfiguration(org);
  if (org !== undefined)
    throw new OperatorError(
      "--org is for the database of this machine. TOCSIN_API_KEY decides the organisation.",
    );
  const client = makeRemoteClient(remote);
  return {
    read: () => client.get("/config"),
    apply: (input, dryRun) => client.post(`/config/apply${dryRun ? "?dry_run=true" : ""}`, input),
  };
}

/** Loads the service only here: a command for TOCSIN_URL starts in a quarter of the time without it. */
async function localConfiguration(org: string | undefined): Promise<ConfigurationSource> {
  const { readLocal, applyLocal } = await import("./local.ts");
  return { read: () => readLocal(org), apply: (input, dryRun) => applyLocal(org, input, dryRun) };
}
