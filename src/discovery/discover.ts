import type { Hex } from "../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../chains/chain-client.ts";
import { functionsInCode } from "../inspection/abi/bytecode.ts";
import { joinAbis } from "../inspection/abi/find-abi.ts";
import { type Services, SourceFailure } from "../inspection/abi/lookup-services.ts";
import { classify } from "../inspection/classify/contract-types.ts";
import type { Facts } from "../inspection/classify/facts.ts";
import { probe } from "../inspection/classify/probes.ts";
import { type SuggestedTarget, suggestTargets } from "../inspection/classify/suggest-targets.ts";
import { resolveProxy } from "../inspection/proxies/resolve-proxy.ts";
import { type Finding, joinFindings, relations, type SearchResult } from "./finding.ts";
import { keepContracts, searchChain } from "./search-chain.ts";
import { searchExplorer } from "./search-explorer.ts";

/** A contract that a wallet has to do with, and what it is. */
export type Discovered = Finding & {
  name: string | null;
  contract_type: string;
  category: string;
  suggested_targets: SuggestedTarget[];
};

/** What was found on a chain; `unseen` says in sentences what could not be looked at. */
export type Discovery = { found: Discovered[]; unseen: string[] };

/** More than anybody goes through by hand. */
const maxFound = 200;
/** What a contract is takes some forty questions to each. */
const maxDescribed = 100;

/** Finds the contracts that a wallet has to do with on one chain. Rejects with a ChainError when it cannot be read. */
export async function discoverOn(
  client: ChainClient,
  services: Services,
  wallet: string,
): Promise<Discovery> {
  const [explored, looked] = [await explore(client, services, wallet), await searchChain(client, wallet)];
  const moment = await client.pinLatestBlock();
  const joined = joinFindings([...explored.findings, ...looked.findings]);
  const contracts = new Set(
    await keepContracts(
      moment,
      joined.map(({ address }) => address),
    ),
  );
  const findings = joined
    .filter(({ address }) => contracts.has(address))
    .sort((a, b) => relations.indexOf(a.relation) - relations.indexOf(b.relation) || b.tx_count - a.tx_count);
  const found: Discovered[] = [];
  for (const [index, one] of findings.slice(0, maxFound).entries()) {
    found.push({
      ...one,
      ...(index < maxDescribed ? await describe(client, moment, one.address) : unknown),
    });
  }
  const isCut =
    findings.length > maxFound ? [`Of ${findings.length} contracts the first ${maxFound} are shown.`] : [];
  return { found, unseen: [...explored.unseen, ...looked.unseen, ...isCut] };
}

/** An explorer knows the whole past; one that is not there or fails is named, and the nodes tell the rest. */
async function explore({ chain }: ChainClient, services: Services, wallet: string): Promise<SearchResult> {
  if (!services.etherscanKey) return { findings: [], unseen: [] };
  try {
    return await searchExplorer(services, chain.chain_id, wallet);
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { findings: [], unseen: [`The explorer could not be asked: ${error.message}`] };
  }
}

const unknown = { name: null, contract_type: "unknown", category: "other", suggested_targets: [] };

async function codesOf(moment: PinnedBlock, addresses: string[]): Promise<Hex[]> {
  const results = await moment.read(addresses.map((address) => ({ kind: "code", address })));
  return results.flatMap((result) => (result.ok ? [result.data] : []));
}

/** What a contract is, by its code and what it answers: looking its source up takes longer than anybody waits. */
async function describe({ chain }: ChainClient, moment: PinnedBlock, address: string) {
  const resolved = await resolveProxy(moment, address);
  const answers = await probe(moment, address);
  const code = await codesOf(moment, resolved.implementations.slice(0, 1));
  const functions = await Promise.all(code.map((one) => functionsInCode(one)));
  const selectors = functions.flat().map(({ selector }) => selector);
  const facts: Facts = { chain, address, resolved, abi: { ...joinAbis([]), selectors }, answers };
  const { contract_type, category } = classify(facts);
  const name = answers.text("name") ?? answers.text("description") ?? null;
  return {
    name: name?.slice(0, 100) ?? null,
    contract_type,
    category,
    suggested_targets: suggestTargets(facts, contract_type, []),
  };
}
