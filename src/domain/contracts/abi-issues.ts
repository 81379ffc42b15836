import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { findInterfaceProblem, findProblemInJsonTask } from "../../chains/interface-problem.ts";
import type { Issue } from "../../errors/app-error.ts";
import { jsonBytes } from "../../lib/json/limit-json.ts";
import type { OrgCaller } from "../caller.ts";

/** A smaller ABI is checked in a few milliseconds. */
const maxInlineBytes = 16 * 1024;

/** Returns why an uploaded ABI or IDL cannot be used. */
export async function findAbiIssues(
  app: App,
  { org_id }: Pick<OrgCaller, "org_id">,
  kind: Chain["kind"] = "evm",
  abi: unknown,
): Promise<Issue[]> {
  if (abi === undefined) return [];
  const isSmall = jsonBytes(abi, maxInlineBytes) <= maxInlineBytes;
  const problem = isSmall
    ? findInterfaceProblem({ kind, abi })
    : await app.workers.run(findProblemInJsonTask, org_id, { kind, json: JSON.stringify(abi) });
  return problem === undefined ? [] : [{ loc: ["body", "abi"], msg: problem, type: "value_error" }];
}
