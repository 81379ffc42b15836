import type { App } from "../../app.ts";
import type { ChainClient } from "../../chains/chain-client.ts";
import { standardsOf } from "../../inspection/classify/standards.ts";
import { dependenciesOf } from "../../inspection/control/dependencies.ts";
import { collectFindings, type Finding } from "../../inspection/control/findings.ts";
import { findPowers } from "../../inspection/control/powers.ts";
import { privilegedFunctions } from "../../inspection/control/privileged-functions.ts";
import { inspect } from "../../inspection/inspect.ts";
import { meterOf } from "../../meters/index.ts";
import type { ContractRow } from "../../store/contracts/contracts.ts";
import { listTargets, type TargetRow } from "../../store/contracts/targets.ts";
import type { ContractAnalysis } from "../../wire/inspection/contract-analysis.ts";
import type { OrgCaller } from "../caller.ts";
import { findContractOnChain } from "../contracts/contract-on-chain.ts";
import { externalServicesOf, serviceTimeoutMs, withChainClient } from "./chain-access.ts";
import { analyseOnSolana } from "./program-inspection.ts";

type Analysis = Omit<ContractAnalysis, "findings"> & { findings: Finding[] };

const cacheMs = 30_000;

/** Returns privileges, holders and findings of a contract. The chain part is cached; `is_watched` is always current. */
export async function analyseContract(
  app: App,
  caller: OrgCaller,
  contract_id: string,
): Promise<ContractAnalysis> {
  const { row, chain } = await findContractOnChain(app, caller, contract_id);
  const analysis = await app.lookups.get(
    `analysis ${contract_id}`,
    () => cacheMs,
    () =>
      withChainClient(app, caller.org_id, chain, (client) =>
        chain.kind === "solana"
          ? analyseOnSolana(client, externalServicesOf(app, caller.org_id).offload, row)
          : analyse(app, client, row),
      ),
  );
  const targets = await listTargets(app.db, caller.org_id, contract_id);
  const findings = analysis.findings.map((finding) => ({
    ...finding,
    is_watched: isWatched(finding, targets),
  }));
  return { ...analysis, findings };
}

async function analyse(app: App, client: ChainClient, row: ContractRow): Promise<Analysis> {
  const { facts, classification, pinned } = await inspect(
    client,
    externalServicesOf(app, row.org_id),
    row.address,
    serviceTimeoutMs,
  );
  const { powers, problems } = await findPowers(client, pinned, facts);
  const privileged = privilegedFunctions().filter(({ selector }) => facts.abi.selectors.includes(selector));
  return {
    contract_id: row.id,
    chain: row.chain,
    address: row.address,
    block_number: pinned.block.height,
    category: classification.category,
    contract_type: classification.contract_type,
    standards: standardsOf(facts),
    program: null,
    powers,
    privileged_functions: privileged.map(({ signature, selector, privilege }) => ({
      signature,
      selector,
      privilege,
    })),
    dependencies: dependenciesOf(facts),
    findings: collectFindings({ facts, powers, privileged }),
    problems: [...(facts.resolved.problem ? [facts.resolved.problem] : []), ...problems],
    sources: facts.abi.sources,
  };
}

/** True if an enabled target of the same type exists, with the same config for types that are not unique. */
function isWatched({ target }: Finding, targets: readonly TargetRow[]): boolean {
  if (!target) return false;
  const same = targets.filter(
    ({ target_type, is_enabled }) => is_enabled && target_type === target.target_type,
  );
  const isMany = meterOf(target.target_type)?.instances === "many";
  return same.some(({ config }) => !isMany || JSON.stringify(config) === JSON.stringify(target.config));
}
