import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chooseVaults } from "../../chains/solana/vaults/choose-vaults.ts";
import { itemsOf } from "../../inspection/abi/find-abi.ts";
import { type Inspection, inspect } from "../../inspection/inspect.ts";
import type { AccountFacts } from "../../inspection/solana/account-facts.ts";
import { accountProfileOf } from "../../inspection/solana/account-profile.ts";
import { classifyAccount } from "../../inspection/solana/classify-account.ts";
import { inspectAccount } from "../../inspection/solana/inspect-account.ts";
import { toPlain } from "../../lib/plain-json.ts";
import type { DueInspection, InspectedContract } from "../../store/inspection/inspections.ts";
import { externalServicesOf } from "./chain-access.ts";

/** What an inspection finds, and whether there is code at the address; incomplete if the holdings of an account are not known. */
export type Examined = { inspected: InspectedContract; presence: "there" | "incomplete" | "empty" | "gone" };

/** Longer than for a request, because no caller waits. */
const serviceTimeoutMs = 8_000;

/** Reads a contract of an EVM chain. */
export async function examineCode(app: App, chain: Chain, contract: DueInspection): Promise<Examined> {
  const client = app.chains.clientFor(chain);
  const services = externalServicesOf(app, contract.org_id);
  const inspection = await inspect(client, services, contract.address, serviceTimeoutMs);
  const isEmpty = inspection.facts.resolved.code === "0x";
  const presence = isEmpty ? (contract.code_seen ? "gone" : "empty") : "there";
  return { inspected: toInspected(inspection), presence };
}

/** Reads an account of Solana. */
export async function readAccount(app: App, chain: Chain, contract: DueInspection): Promise<AccountFacts> {
  const pinned = await app.chains.clientFor(chain).pinLatestBlock();
  return inspectAccount(pinned, externalServicesOf(app, contract.org_id).offload, contract.address);
}

export function fromAccount(facts: AccountFacts): Examined {
  const there = facts.areHoldingsKnown ? "there" : "incomplete";
  return { inspected: toInspectedAccount(facts), presence: facts.program.exists ? there : "empty" };
}

function toInspectedAccount(facts: AccountFacts): InspectedContract {
  const { category, contract_type } = classifyAccount(facts);
  const profile = accountProfileOf(facts);
  const tokens = profile.assets.map(({ token }) => token);
  return {
    ...{ category, contract_type, is_proxy: false, implementation_address: null, is_verified: null },
    abi: facts.idl ? toPlain(facts.idl) : null,
    abi_source: facts.idl ? "registry" : "none",
    profile,
    token_accounts: facts.vaults.length > 0 ? chooseVaults(facts.vaults, [], tokens) : null,
  };
}

function toInspected({ facts, classification }: Inspection): InspectedContract {
  const { resolved, abi } = facts;
  const items = itemsOf(abi.abi);
  return {
    category: classification.category,
    contract_type: classification.contract_type,
    is_proxy: resolved.hops.length > 0,
    implementation_address: resolved.hops.length > 0 ? (resolved.implementations[0] ?? null) : null,
    is_verified: abi.is_verified,
    abi: items.length > 0 ? toPlain(items) : null,
    abi_source: abi.abi_source,
    profile: facts.profile,
    token_accounts: null,
  };
}
