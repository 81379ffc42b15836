import type { Chain } from "../../chains/chain.ts";
import type { ChainClient } from "../../chains/chain-client.ts";
import type { AccountFacts } from "../../inspection/solana/account-facts.ts";
import { accountFindings } from "../../inspection/solana/account-findings.ts";
import { classifyAccount } from "../../inspection/solana/classify-account.ts";
import { inspectAccount } from "../../inspection/solana/inspect-account.ts";
import { powersOf } from "../../inspection/solana/powers.ts";
import { suggestForAccount } from "../../inspection/solana/suggest-for-account.ts";
import type { Offload } from "../../lib/concurrency/worker-pool.ts";
import type { ContractRow } from "../../store/contracts/contracts.ts";
import type { ContractAnalysis } from "../../wire/inspection/contract-analysis.ts";
import type { Inspection } from "../../wire/inspection/inspection.ts";

/** Inspects an address on Solana, with the same result format as for EVM contracts. */
export async function inspectOnSolana(
  client: ChainClient,
  offload: Offload,
  chain: Chain,
  address: string,
): Promise<Inspection> {
  const pinned = await client.pinLatestBlock();
  const facts = await inspectAccount(pinned, offload, address);
  const { contract_type, category, reason } = classifyAccount(facts);
  const { mint, idl } = facts;
  return {
    chain: chain.chain,
    chain_id: chain.chain_id,
    address,
    block_number: pinned.block.height,
    has_code: facts.program.executable,
    is_proxy: false,
    proxy: null,
    program: toProgram(facts),
    abi_source: idl ? "registry" : "none",
    abi: idl ? [idl] : [],
    unnamed_selectors: [],
    is_verified: null,
    name: nameIn(idl),
    token: mint
      ? { name: null, symbol: null, decimals: mint.decimals, total_supply: String(mint.supply) }
      : null,
    category,
    category_reasons: [category === "other" ? "No indication of another category." : reason],
    contract_type,
    contract_type_reasons: [reason],
    suggested_targets: suggestForAccount(facts),
    sources: facts.sources,
  };
}

/** Analyses who can change a program or a token on Solana. */
export async function analyseOnSolana(client: ChainClient, offload: Offload, row: ContractRow) {
  const pinned = await client.pinLatestBlock();
  const facts = await inspectAccount(pinned, offload, row.address);
  const { contract_type, category } = classifyAccount(facts);
  return {
    contract_id: row.id,
    chain: row.chain,
    address: row.address,
    block_number: pinned.block.height,
    category: category satisfies ContractAnalysis["category"],
    contract_type,
    standards: facts.mint ? ["SPL Token"] : [],
    program: toProgram(facts),
    powers: powersOf(facts),
    privileged_functions: [],
    dependencies: [],
    findings: accountFindings(facts),
    problems: facts.program.exists ? [] : ["There is no account at this address."],
    sources: facts.sources,
  };
}

function toProgram({ program }: AccountFacts): Inspection["program"] {
  const { executable, loader, program_data, slot, authority, has_idl } = program;
  if (!executable || loader === null) return null;
  return { loader, program_data, deployed_slot: slot, upgrade_authority: authority, has_idl };
}

function nameIn(idl: Record<string, unknown> | undefined): string | null {
  const { name, metadata } = (idl ?? {}) as { name?: unknown; metadata?: { name?: unknown } };
  const programName = metadata?.name ?? name;
  return typeof programName === "string" ? programName.slice(0, 100) : null;
}
