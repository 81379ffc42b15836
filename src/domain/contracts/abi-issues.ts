import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { findInterfaceProblem, findInterfaceProblemTask } from "../../chains/interface-problem.ts";
import type { Issue } from "../../errors/app-error.ts";
import { jsonBytes } from "../../lib/json/limit-json.ts";
import type { OrgCaller } from "../caller.ts";

/** A smaller ABI is checked in a few milliseconds. */
const maxInlineBytes = 16 * 1024;

/** Returns why an uploaded ABI or IDL cannot be used. */
export async function findAbiIssues(
  app: App,
  { org_id }: OrgCaller,
  kind: Chain["kind"] = "evm",
  abi: unknown,
): Promise<Issue[]> {
  if (abi === undefined) return [];
  const input = { kind, abi };
  const problem =
    jsonBytes(abi, maxInlineBytes) <= maxInlineBytes
      ? findInterfaceProblem(input)
      : await app.workers.run(findInterfaceProblemTask, org_id, input);
  return problem === undefined ? [] : [{ loc: ["body", "abi"], msg: problem, type: "value_error" }];
}
