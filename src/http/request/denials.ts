import type { App } from "../../app.ts";
import { recordAccessDenial } from "../../domain/access.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Operation } from "../operation.ts";
import type { Identity } from "./authenticate.ts";

/** Codes that mean: a member of the org asked for something that their role or their grants do not allow. */
const denials: readonly string[] = ["admin_required", "role_required"];

/** Runs `work` and records in the audit log of the org when a member is denied. Denied keys are recorded with their scope. */
export async function recordingDenials<Result>(
  app: App,
  { session }: Identity,
  { id, policy }: Operation,
  params: Record<string, string>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || !denials.includes(error.code) || policy.who !== "org" || !session)
      throw error;
    // These codes are given to members only, so the org of the path is one of the caller's.
    const org_id = policy.org === "path" ? params.org_id : session.active?.org_id;
    if (org_id) await recordAccessDenial(app, session.user, org_id, { operation: id, reason: error.code });
    throw error;
  }
}
