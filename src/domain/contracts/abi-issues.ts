import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { givenInterface } from "../../chains/decoding/stored-interfaces.ts";
import { compileStoredAbi } from "../../chains/evm/abi/stored-abi.ts";
import { findInterfaceProblem, findProblemInJsonTask } from "../../chains/interface-problem.ts";
import type { Issue } from "../../errors/app-error.ts";
import { offloadFor } from "../../lib/concurrency/worker-pool.ts";
import { jsonBytes } from "../../lib/json/limit-json.ts";
import type { ContractCreate } from "../../wire/contracts/contracts.ts";
import type { OrgCaller } from "../caller.ts";
import type { CheckedAbi } from "./new-contract.ts";
import { hasNames } from "./target-names.ts";

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

/** Checks the ABI of a new contract. It is compiled if targets have names to compare with it. */
export async function checkAbi(
  app: App,
  caller: Pick<OrgCaller, "org_id">,
  kind: Chain["kind"] | undefined,
  { abi, selected_targets = [] }: Partial<ContractCreate>,
): Promise<CheckedAbi> {
  const issues = await findAbiIssues(app, caller, kind, abi);
  const isCompared = abi !== undefined && selected_targets.some(({ config = {} }) => hasNames(config));
  return {
    issues,
    abi:
      isCompared && issues.length === 0
        ? await compileStoredAbi(givenInterface(abi), offloadFor(app.workers, caller.org_id))
        : undefined,
  };
}
