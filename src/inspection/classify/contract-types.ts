import { knownEndpoints } from "../bridge/layerzero-chains.ts";
import { type Facts, hasEvent, hasFunction } from "./facts.ts";

export type Category = "lending" | "dex" | "bridge" | "oracle" | "governance" | "token" | "other";

/** One thing that a contract can be. `reasons` says what shows it, in sentences; none when it is something else. */
type ContractType = { contract_type: string; category: Category; reasons(facts: Facts): string[] };

/** The most telling first: a governor's token is a token, but a bridged token is a bridge before that. */
const contractTypes: readonly ContractType[] = [
  {
    contract_type: "safe",
    category: "governance",
    reasons: ({ answers }) => {
      const [threshold, owners] = [answers.integer("threshold"), answers.addresses("owners")];
      if (threshold === undefined || owners.length === 0) return [];
      return [`It is a multisig: ${threshold} of ${owners.length} owners must agree.`];
    },
  },
  {
    contract_type: "timelock",
    category: "governance",
    reasons: (facts) => {
      const { answers } = facts;
      if (answers.has("minDelay")) return [`getMinDelay() answers ${answers.integer("minDelay")} seconds.`];
      const isCompound = answers.has("delay") && answers.has("gracePeriod");
      return isCompound
        ? [`delay() answers ${answers.integer("delay")} seconds and there is a grace period.`]
        : [];
    },
  },
  {
    contract_type: "governor",
    category: "governance",
    reasons: ({ answers }) =>
      answers.has("votingDelay") && answers.has("votingPeriod")
        ? ["It has a voting delay and a voting period."]
        : [],
  },
  {
    contract_type: "bridge_oapp",
    category: "bridge",
    reasons: (facts) => {
      const endpoint = facts.answers.address("endpoint");
      const isApp = facts.answers.has("oAppVersion") || hasFunction(facts, "peers(uint32)");
      if (!endpoint || !isApp) return [];
      const isKnown = knownEndpoints(facts.chain.chain)?.endpoint === endpoint;
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
    reasons: ({ answers }) => {
      if (!answers.has("latestAnswer") || answers.integer("decimals") === undefined) return [];
      const pair = answers.text("description");
      return [
        "latestRoundData() answers like a price feed.",
        ...(pair ? [`It describes itself as ${pair}.`] : []),
      ];
    },
  },
  {
    contract_type: "lending_pool",
    category: "lending",
    reasons: ({ answers }) => {
      if (answers.has("baseToken") && answers.has("utilization"))
        return ["It has a base token and a utilisation, as Compound's markets have."];
      if (answers.has("addressesProvider")) return ["It names an addresses provider, as Aave's pools do."];
      return answers.has("comptroller") && answers.has("totalSupply")
        ? ["It names a comptroller, as Compound's markets do."]
        : [];
    },
  },
  {
    contract_type: "dex_pool",
    category: "dex",
    reasons: ({ answers }) => {
      const isPair = answers.address("token0") && answers.address("token1");
      if (isPair && answers.has("reserves"))
        return ["It has two tokens and reserves of both, as Uniswap's pairs have."];
      if (isPair && answers.has("slot0"))
        return ["It has two tokens and a current price, as Uniswap's pools have."];
      return answers.address("coin0") && answers.address("coin1")
        ? ["It lists coins, as Curve's pools do."]
        : [];
    },
  },
  {
    contract_type: "erc721",
    category: "token",
    reasons: ({ answers }) => (answers.supports("isErc721") ? ["It says that it supports ERC-721."] : []),
  },
  {
    contract_type: "erc1155",
    category: "token",
    reasons: ({ answers }) => (answers.supports("isErc1155") ? ["It says that it supports ERC-1155."] : []),
  },
  { contract_type: "erc20", category: "token", reasons: erc20Reasons },
];

function erc20Reasons(facts: Facts): string[] {
  const isFungible =
    facts.answers.has("totalSupply") && (facts.answers.has("decimals") || facts.answers.has("symbol"));
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
