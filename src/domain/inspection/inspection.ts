import type { App } from "../../app.ts";
import { parseAddressOn } from "../../chains/families.ts";
import { InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { itemsOf } from "../../inspection/abi/find-abi.ts";
import { findPeerEids } from "../../inspection/bridge/peer-eids.ts";
import type { Facts } from "../../inspection/classify/facts.ts";
import { type Inspection as Inspected, inspect } from "../../inspection/inspect.ts";
import type { ResolvedProxy } from "../../inspection/proxies/resolve-proxy.ts";
import { suggestTargets } from "../../inspection/suggest/suggest-targets.ts";
import type { Inspection, InspectRequest } from "../../wire/inspection/inspection.ts";
import type { OrgCaller } from "../caller.ts";
import { makeChainFinder } from "../contracts/chains.ts";
import { contractIssues } from "../contracts/new-contract.ts";
import { externalServicesOf, serviceTimeoutMs, withChainClient } from "./chain-access.ts";
import { inspectOnSolana } from "./program-inspection.ts";

const maxUnnamed = 200;

/** Inspects an address live. Stores nothing. */
export async function inspectAddress(
  app: App,
  { org_id }: OrgCaller,
  input: InspectRequest,
): Promise<Inspection> {
  const chain = (await makeChainFinder(app))(input.chain);
  const address = parseAddressOn(chain, input.address);
  if (!chain || !address) throw new InvalidRequest(await findAddressIssues(app, input));
  const services = externalServicesOf(app, org_id);
  return withChainClient(app, org_id, chain, async (client) => {
    if (chain.kind === "solana") return inspectOnSolana(client, services.offload, chain, address);
    const inspected = await inspect(client, services, address, serviceTimeoutMs);
    const { contract_type } = inspected.classification;
    const eids =
      contract_type === "bridge_oapp"
        ? await findPeerEids(client, address, inspected.pinned.block.height)
        : [];
    return toInspection(inspected, eids);
  });
}

/** Finds errors in the chain and the address of a request, as far as they are given. */
export async function findAddressIssues(app: App, fields: Partial<InspectRequest>): Promise<Issue[]> {
  return contractIssues(await makeChainFinder(app), fields, ["body"]);
}

function toInspection({ pinned, facts, classification }: Inspected, eids: number[]): Inspection {
  const { chain, address, resolved, abi } = facts;
  const { contract_type, category, reasons } = classification;
  const has_code = resolved.code !== "0x";
  const items = itemsOf(abi.abi);
  return {
    chain: chain.chain,
    chain_id: chain.chain_id,
    address,
    block_number: pinned.block.height,
    has_code,
    is_proxy: resolved.hops.length > 0,
    proxy: toProxy(resolved),
    program: null,
    abi_source: abi.abi_source,
    abi: items,
    unnamed_selectors: abi.selectors
      .filter((selector) => !abi.abi.functions.has(selector))
      .slice(0, maxUnnamed),
    is_verified: abi.is_verified,
    name: abi.name,
    token: toToken(facts),
    category,
    category_reasons: [
      category === "other"
        ? "No indication of another category."
        : `Contracts of type ${contract_type} belong to the category ${category}.`,
    ],
    contract_type,
    contract_type_reasons: reasons,
    suggested_targets: suggestTargets(facts, contract_type, eids),
    sources: abi.sources,
  };
}

function toProxy({ hops, implementations, problem }: ResolvedProxy): Inspection["proxy"] {
  const [first] = hops;
  if (!first) return null;
  const isDiamond = implementations.length > 1 || hops.at(-1)?.kind === "diamond";
  return {
    kind: first.kind,
    implementation: isDiamond ? null : (implementations[0] ?? null),
    admin: first.admin,
    beacon: first.beacon,
    facets: isDiamond ? implementations : [],
    hops: hops.map((hop) => ({
      address: hop.address,
      kind: hop.kind,
      implementation: hop.implementations[0] ?? null,
    })),
    problem,
  };
}

/** Returns token metadata if the contract has a symbol or a supply; many other contracts have a name. */
function toToken({ probes }: Facts): Inspection["token"] {
  const [symbol, supply] = [probes.text("symbol"), probes.integer("totalSupply")];
  if (symbol === undefined && supply === undefined) return null;
  const decimals = probes.integer("decimals");
  return {
    name: probes.text("name") ?? null,
    symbol: symbol ?? null,
    decimals: decimals !== undefined && decimals <= 255n ? Number(decimals) : null,
    total_supply: supply === undefined ? null : String(supply),
  };
}
