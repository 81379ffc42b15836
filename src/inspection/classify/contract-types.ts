import { layerZeroChainOf } from "../bridge/layerzero-chains.ts";
import { type Facts, hasEvent, hasFunction } from "./facts.ts";

export type Category = "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "other";

/** One thing that a contract can be. `reasons` says what shows it, in sentences; none when it is something else. */
type ContractType = { contract_type: string; category: Category; reasons(facts: Facts): string[] };

/** The most telling first: a governor's token is a token, but a bridged token is a bridge before that. */
const contractTypes: readonly ContractType[] = [
  {
    contract_type: "safe",
    category: "governance",
    reasons: ({ probes }) => {
      const [threshold, owners] = [probes.integer("threshold"), probes.addresses("owners")];
      if (threshold === undefined || owners.length === 0) return [];
      return [`It is a multisig: ${threshold} of ${owners.length} owners must agree.`];
    },
  },
  {
    contract_type: "timelock",
    category: "governance",
    reasons: (facts) => {
      const { probes } = facts;
      if (probes.has("minDelay")) return [`getMinDelay() answers ${probes.integer("minDelay")} seconds.`];
      const isCompound = probes.has("delay") && probes.has("gracePeriod");
      return isCompound
        ? [`delay() answers ${probes.integer("delay")} seconds and there is a grace period.`]
        : [];
    },
  },
  {
    contract_type: "governor",
    category: "governance",
    reasons: ({ probes }) =>
      probes.has("votingDelay") && probes.has("votingPeriod")
        ? ["It has a voting delay and a voting period."]
        : [],
  },
  {
    contract_type: "bridge_oapp",
    category: "bridge",
    reasons: (facts) => {
      const endpoint = facts.probes.address("endpoint");
      const isApp = facts.probes.has("oAppVersion") || hasFunction(facts, "peers(uint32)");
      if (!endpoint || !isApp) return [];
      const isKnown = layerZeroChainOf(facts.chain.chain)?.endpoint === endpoint;
      return [
        isKnown
          ? "It sends and takes messages through LayerZero's endpoint."
          : `It sends and takes messages through an endpoint like LayerZero's at ${endpoint}.`,
      ];
    },
  },
  {
    contract_type: "oracle_feed",
    category: "oracle",
    reasons: ({ probes }) => {
      if (!probes.has("latestAnswer") || probes.integer("decimals") === undefined) return [];
      const pair = probes.text("description");
      return [
        "latestRoundData() answers like a price feed.",
        ...(pair ? [`It describes itself as ${pair}.`] : []),
      ];
    },
  },
  {
    contract_type: "lending_pool",
    category: "lending",
    reasons: ({ probes }) => {
      if (probes.has("baseToken") && probes.has("utilization"))
        return ["It has a base token and a utilisation, as Compound's markets have."];
      if (probes.has("addressesProvider")) return ["It names an addresses provider, as Aave's pools do."];
      return probes.has("comptroller") && probes.has("totalSupply")
        ? ["It names a comptroller, as Compound's markets do."]
        : [];
    },
  },
  {
    contract_type: "dex_pool",
    category: "dex",
    reasons: ({ probes }) => {
      const isPair = probes.address("token0") && probes.address("token1");
      if (isPair && probes.has("reserves"))
        return ["It has two tokens and reserves of both, as Uniswap's pairs have."];
      if (isPair && probes.has("slot0"))
        return ["It has two tokens and a current price, as Uniswap's pools have."];
      return probes.address("coin0") && probes.address("coin1")
        ? ["It lists coins, as Curve's pools do."]
        : [];
    },
  },
  {
    contract_type: "erc721",
    category: "token",
    reasons: ({ probes }) => (probes.supports("isErc721") ? ["It says that it supports ERC-721."] : []),
  },
  {
    contract_type: "erc1155",
    category: "token",
    reasons: ({ probes }) => (probes.supports("isErc1155") ? ["It says that it supports ERC-1155."] : []),
  },
  { contract_type: "erc20", category: "token", reasons: erc20Reasons },
];

function erc20Reasons(facts: Facts): string[] {
  const isFungible =
    facts.probes.has("totalSupply") && (facts.probes.has("decimals") || facts.probes.has("symbol"));
  const canMove =
    hasFunction(facts, "transfer(address,uint256)") || hasEvent(facts, "Transfer(address,address,uint256)");
  return isFungible && canMove
    ? ["It has a supply and balances that can be transferred, as ERC-20 says."]
    : [];
}

export type Classification = {
  contract_type: string;
  category: Category;
  reasons: string[];
};

/** What a contract is, with the reasons for it. Whatever is behind a proxy counts, and a proxy only when that says nothing. */
export function classify(facts: Facts): Classification {
  for (const { contract_type, category, reasons } of contractTypes) {
    const found = reasons(facts);
    if (found.length > 0) return { contract_type, category, reasons: found };
  }
  const [first] = facts.resolved.hops;
  if (first)
    return {
      contract_type: "proxy",
      category: "other",
      reasons: [`It is a proxy of the kind ${first.kind}.`],
    };
  return {
    contract_type: "unknown",
    category: "other",
    reasons: ["It has none of the functions that known kinds have."],
  };
}
