import { loadConfig, readRemote } from "../../config.ts";
import { applyConfig } from "../../domain/imports/configuration/apply.ts";
import { exportConfig } from "../../domain/imports/configuration/export.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { withApp } from "../../main.ts";
import type { ConfigApply, ConfigDocument, ConfigPlan } from "../../wire/imports/configuration.ts";
import { operatorOf } from "../acting-org.ts";
import { makeRemoteClient } from "../remote/client.ts";
import { describeIssues } from "./describe-issues.ts";

/** The configuration of one org: in the database of this machine, or behind the API of a service. */
export type ConfigurationSource = {
  read(): Promise<ConfigDocument>;
  apply(input: ConfigApply, dryRun: boolean): Promise<ConfigPlan>;
};

/** Opens the service of TOCSIN_URL, or the database if that is not set. */
export function openConfiguration(org: string | undefined): ConfigurationSource {
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

function localConfiguration(org: string | undefined): ConfigurationSource {
  return {
    read: () => withApp(loadConfig(), async (app) => exportConfig(app, await operatorOf(app, org))),
    apply: (input, dryRun) =>
      withApp(loadConfig(), async (app) => applyConfig(app, await operatorOf(app, org), input, dryRun)).catch(
        (error: unknown) => {
          throw error instanceof InvalidRequest ? new OperatorError(describeIssues(error.issues)) : error;
        },
      ),
  };
}
