import { layerZeroChainOf } from "../bridge/layerzero-chains.ts";
import type { Profile } from "../profile/profile.ts";
import { type Facts, hasEvent, hasFunction } from "./facts.ts";
import { declarationOf, priceProbes } from "./probes.ts";

export type Category =
  | ("lending" | "dex" | "bridge" | "oracle" | "governance")
  | ("token" | "vault" | "proxy" | "safe" | "wallet" | "other");

/** A type of contract. `reasons` returns the evidence as sentences; empty if the contract is of another type. */
type ContractType = { contract_type: string; category: Category; reasons(facts: Facts): string[] };

/** The most specific types first: a bridged token is a bridge, not just a token. */
const contractTypes: readonly ContractType[] = [
  {
    contract_type: "safe",
    category: "safe",
    reasons: ({ probes }) => {
      const owners = probes.addresses("owners");
      // Multisig wallets from before Safe name it required().
      const threshold = probes.integer("threshold") ?? probes.integer("required");
      if (threshold === undefined || owners.length === 0) return [];
      return [`The contract is a multisig: ${threshold} of ${owners.length} owners must sign.`];
    },
  },
  {
    contract_type: "timelock",
    category: "governance",
    reasons: (facts) => {
      const { probes } = facts;
      if (probes.has("minDelay")) return [`getMinDelay() returns ${probes.integer("minDelay")} seconds.`];
      const isCompound = probes.has("delay") && probes.has("gracePeriod");
      return isCompound
        ? [`delay() returns ${probes.integer("delay")} seconds, and the contract has a grace period.`]
        : [];
    },
  },
  {
    contract_type: "governor",
    category: "governance",
    reasons: ({ probes }) =>
      probes.has("votingDelay") && probes.has("votingPeriod")
        ? ["The contract has a voting delay and a voting period."]
        : [],
  },
  {
    contract_type: "access_manager",
    category: "governance",
    reasons: ({ probes }) =>
      probes.has("minSetback") && probes.has("expiration")
        ? ["The contract schedules restricted calls, like OpenZeppelin access managers."]
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
          ? "The contract sends and receives messages through the LayerZero endpoint."
          : `The contract sends and receives messages through a LayerZero-compatible endpoint at ${endpoint}.`,
      ];
    },
  },
  {
    contract_type: "bridge",
    category: "bridge",
    reasons: (facts) => {
      if (
        bridgeFunctions.some((bridgeFunction) => hasFunction(facts, bridgeFunction)) ||
        bridgeEvents.some((bridgeEvent) => hasEvent(facts, bridgeEvent))
      )
        return ["The contract locks assets for another chain and releases them, like token bridges."];
      return verifierEvents.some((verifierEvent) => hasEvent(facts, verifierEvent))
        ? ["The contract has validators, relayers or signers who confirm messages, like bridges."]
        : [];
    },
  },
  {
    contract_type: "oracle_feed",
    category: "oracle",
    reasons: ({ probes }) => {
      if (!probes.has("latestAnswer") || probes.integer("decimals") === undefined) return [];
      const pair = probes.text("description");
      return [
        "latestRoundData() returns a round like a price feed.",
        ...(pair ? [`description() returns ${pair}.`] : []),
      ];
    },
  },
  {
    contract_type: "lending_pool",
    category: "lending",
    reasons: (facts) => {
      const { probes } = facts;
      if (probes.has("baseToken") && probes.has("utilization"))
        return ["The contract has a base token and a utilisation, like Compound V3 markets."];
      if (probes.has("addressesProvider"))
        return ["The contract has an addresses provider, like Aave pools."];
      if (probes.has("getAllMarkets") && probes.has("closeFactor"))
        return ["The contract lists markets and has a close factor, like the comptroller of Compound V2."];
      if (probes.has("comptroller") && (probes.has("totalSupply") || probes.has("totalBorrows")))
        return ["The contract has a comptroller, like Compound V2 markets."];
      const lends = borrowings.some((borrowing) => hasFunction(facts, borrowing));
      return lends && repayments.some((repayment) => hasFunction(facts, repayment))
        ? ["The contract has functions to borrow and to repay, like lending markets."]
        : [];
    },
  },
  {
    contract_type: "dex_pool",
    category: "dex",
    reasons: (facts) => {
      const { probes } = facts;
      if (isPoolManager(facts))
        return ["The contract keeps the assets of many pools, like the Uniswap V4 pool manager."];
      const isPair = probes.address("token0") && probes.address("token1");
      if (isPair && probes.has("reserves"))
        return ["The contract has two tokens and their reserves, like Uniswap V2 pairs."];
      if (isPair && probes.has("slot0"))
        return ["The contract has two tokens and a current price, like Uniswap V3 pools."];
      const isListing = probes.address("coin0") && probes.address("coin1");
      return isListing || (probes.address("earlyCoin0") && probes.address("earlyCoin1"))
        ? ["The contract lists its coins, like Curve pools."]
        : [];
    },
  },
  {
    contract_type: "vault",
    category: "vault",
    reasons: ({ probes }) =>
      probes.address("asset") && probes.has("totalAssets")
        ? ["The contract issues shares of an asset that it manages, like ERC-4626 vaults."]
        : [],
  },
  {
    contract_type: "erc721",
    category: "token",
    reasons: ({ probes }) =>
      probes.supports("isErc721") ? ["supportsInterface() returns true for ERC-721."] : [],
  },
  {
    contract_type: "erc1155",
    category: "token",
    reasons: ({ probes }) =>
      probes.supports("isErc1155") ? ["supportsInterface() returns true for ERC-1155."] : [],
  },
  { contract_type: "erc20", category: "token", reasons: erc20Reasons },
  {
    contract_type: "price_source",
    category: "oracle",
    reasons: ({ probes }) => {
      const found = priceProbes.find((probe) => (probes.integer(probe) ?? 0n) > 0n);
      const name = found && declarationOf(found).split(" ")[0];
      return name ? [`${name} returns a price, like oracles without rounds.`] : [];
    },
  },
];

/** The functions of markets of their own design, with the arguments that they usually take. */
const loanArguments = [
  "uint256",
  "address,uint256",
  "uint256,address",
  "uint256,address,address",
  "address,uint256,address",
];
const borrowings = ["borrow", "borrowAsset", "openLoan"].flatMap((name) =>
  loanArguments.map((inputs) => `${name}(${inputs})`),
);
const repayments = ["repay", "repayBorrow", "repayAsset", "repayLoan"].flatMap((name) =>
  loanArguments.map((inputs) => `${name}(${inputs})`),
);

/** Functions and events of bridges of rollups, of OmniBridge, ChainBridge, Wormhole, cBridge and their forks. */
const bridgeFunctions = [
  "relayTokens(address,address,uint256)",
  "executeSignatures(bytes,bytes)",
  "depositTransaction(address,uint256,uint64,bool,bytes)",
  "finalizeWithdrawalTransaction((uint256,address,address,uint256,uint256,bytes))",
  "finalizeBridgeERC20(address,address,address,address,uint256,bytes)",
  "outboundTransfer(address,address,uint256,uint256,uint256,bytes)",
  "completeTransfer(bytes)",
  "depositFor(address,address,bytes)",
];
const bridgeEvents = [
  "TokensBridgingInitiated(address,address,uint256,bytes32)",
  "TokensBridged(address,address,uint256,bytes32)",
  "ERC20BridgeFinalized(address,address,address,address,uint256,bytes)",
  "ETHBridgeFinalized(address,address,uint256,bytes)",
  "RelayedMessage(bytes32)",
  "Deposit(uint8,bytes32,uint64)",
  "LogMessagePublished(address,uint64,uint32,bytes,uint8)",
];
const verifierEvents = [
  "ValidatorAdded(address)",
  "RelayerAdded(address)",
  "SignersUpdated(address[],uint256[])",
  "GuardianSetAdded(uint32)",
  "RelayerThresholdChanged(uint256)",
  "AttesterEnabled(address)",
];

/** The code of a wallet that lets a contract act for it (EIP-7702) is this prefix and the address of the contract. */
const delegation = "0xef0100";

function walletReason(code: string): string | undefined {
  if (code === "0x") return "There is no code at this address: it is a wallet.";
  if (!code.startsWith(delegation)) return undefined;
  return `The wallet delegates to the code at 0x${code.slice(delegation.length)}.`;
}

function isPoolManager(facts: Facts): boolean {
  return hasFunction(facts, "unlock(bytes)") && hasFunction(facts, "extsload(bytes32)");
}

function erc20Reasons(facts: Facts): string[] {
  const isFungible =
    facts.probes.has("totalSupply") && (facts.probes.has("decimals") || facts.probes.has("symbol"));
  const canMove =
    hasFunction(facts, "transfer(address,uint256)") || hasEvent(facts, "Transfer(address,address,uint256)");
  return isFungible && canMove
    ? ["The contract has a total supply and transferable balances, like ERC-20 tokens."]
    : [];
}

export type Classification = {
  contract_type: string;
  category: Category;
  reasons: string[];
};

/** Classifies a contract, with reasons. A proxy is classified by its implementation, and as a proxy only if that is unknown. */
export function classify(facts: Facts & { profile?: Profile }): Classification {
  const wallet = walletReason(facts.resolved.code);
  if (wallet) return { contract_type: "wallet", category: "wallet", reasons: [wallet] };
  for (const { contract_type, category, reasons } of contractTypes) {
    const found = reasons(facts);
    if (found.length > 0) return { contract_type, category, reasons: found };
  }
  const [first] = facts.resolved.hops;
  if (first)
    return {
      contract_type: "proxy",
      category: "proxy",
      reasons: [`The contract is a proxy (${first.kind}) with an implementation of unknown type.`],
    };
  return {
    contract_type: "unknown",
    category: "other",
    reasons: ["The contract has no functions of a known contract type."],
  };
}
