import { loadConfig } from "../../config.ts";
import { applyConfig } from "../../domain/imports/configuration/apply.ts";
import { exportConfig } from "../../domain/imports/configuration/export.ts";
import { InvalidRequest } from "../../errors/app-error.ts";
import { OperatorError } from "../../lib/operator-error.ts";
import { withApp } from "../../main.ts";
import type { ConfigApply, ConfigDocument, ConfigPlan } from "../../wire/imports/configuration.ts";
import { operatorOf } from "../acting-org.ts";
import { describeIssues } from "./describe-issues.ts";

/** Reads the configuration of an org from the database of this machine. */
export function readLocal(org: string | undefined): Promise<ConfigDocument> {
  return withApp(loadConfig(), async (app) => exportConfig(app, await operatorOf(app, org)));
}

/** Applies a configuration to an org in the database of this machine. */
export function applyLocal(
  org: string | undefined,
  input: ConfigApply,
  dryRun: boolean,
): Promise<ConfigPlan> {
  return withApp(loadConfig(), async (app) =>
    applyConfig(app, await operatorOf(app, org), input, dryRun),
  ).catch((error: unknown) => {
    throw error instanceof InvalidRequest ? new OperatorError(describeIssues(error.issues)) : error;
  });
}
