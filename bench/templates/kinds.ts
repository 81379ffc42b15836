import { canonicalEvent, canonicalFunction } from "../../src/chains/evm/abi/signature.ts";
import { emptyProfile, type Profile } from "../../src/inspection/profile/profile.ts";
import type { ContractFacts } from "../../src/templates/template.ts";
import { addressOf } from "../engine-world.ts";

type Kind = {
  contract_type: string;
  has?: readonly string[];
  profile?: Partial<Profile>;
  is_proxy?: boolean;
};

const asset = (number: number, symbol: string) => ({
  token: addressOf(9_000_000 + number),
  symbol,
  decimals: 18,
  outflow: 0.02,
});
const [weth, usdc] = [asset(0, "WETH"), asset(1, "USDC")];
const token = { decimals: 18, supply: 1_000_000 };
const usual = {
  spenders: [addressOf(9_000_010)],
  recipients: [addressOf(9_000_011)],
  spender_peak: 2,
  recipient_peak: 3,
};
/** Settings that an event may not report are read with every poll, as many as an inspection finds. */
const settings = {
  events: ["StrategyReplaced(address,address)", "FeeRateSet(uint256)", "KeeperAdded(address)"],
  functions: [
    ...[
      "oracle() view returns (address)",
      "strategy() view returns (address)",
      "keeper() view returns (address)",
    ],
    ...[
      "treasury() view returns (address)",
      "feeRate() view returns (uint256)",
      "quorum() view returns (uint256)",
    ],
    ...[
      "guardian() view returns (address)",
      "frozen() view returns (bool)",
      "maxLeverage() view returns (uint256)",
    ],
    ...[
      "router() view returns (address)",
      "minDelay() view returns (uint256)",
      "depositCap() view returns (uint256)",
    ],
  ],
};
const owned = ["event OwnershipTransferred(address,address)"];
const pausable = ["event Paused(address)", "paused()"];
const erc20 = [
  ...["totalSupply()", "event Transfer(address,address,uint256)", "event Approval(address,address,uint256)"],
  ...owned,
];

/** The kinds of contracts that recommendations tell apart, with what an inspection learns of each. */
const kinds: readonly Kind[] = [
  { contract_type: "erc20", has: [...erc20, ...pausable], profile: { token, usual } },
  {
    contract_type: "erc721",
    has: ["totalSupply()", "event ApprovalForAll(address,address,bool)"],
    profile: { usual },
  },
  {
    contract_type: "vault",
    has: erc20,
    profile: { token, assets: [usdc], vault: { share_decimals: 18, asset_decimals: 18 }, settings },
  },
  {
    contract_type: "dex_pool",
    has: erc20,
    profile: { token, assets: [weth, usdc], pool: { kind: "uniswap_v2", decimals: [18, 18] } },
  },
  {
    contract_type: "dex_pool",
    profile: { assets: [weth, usdc], pool: { kind: "uniswap_v3", decimals: [18, 18] } },
  },
  {
    contract_type: "dex_pool",
    has: owned,
    profile: { assets: [weth, usdc], pool: { kind: "curve", decimals: [18, 18], largest_share: 0.55 } },
  },
  {
    contract_type: "lending_pool",
    has: ["event LiquidateBorrow(address,address,uint256,address,uint256)", "event NewAdmin(address)"],
    profile: { assets: [usdc], market: { kind: "compound_v2" }, settings },
  },
  {
    contract_type: "lending_pool",
    has: ["getReserves()", "getUtilization()", "event AbsorbDebt(address,address,uint256,uint256)"],
    profile: { assets: [usdc], market: { kind: "compound_v3" } },
    is_proxy: true,
  },
  {
    contract_type: "oracle_feed",
    has: ["latestRoundData()", "aggregator()", ...owned],
    profile: { feed: { heartbeat_seconds: 3_600, rounds: 48, late_seconds: 12, price: 2_000 } },
  },
  { contract_type: "governor", has: ["event ProposalExecuted(uint256)", "quorumNumerator()"] },
  { contract_type: "timelock", has: ["getMinDelay()", "event RoleGranted(bytes32,address,address)"] },
  {
    contract_type: "safe",
    has: ["getThreshold()", "event AddedOwner(address)", "event ExecutionFailure(bytes32,uint256)"],
    profile: { assets: [usdc], holds_native: true, native_balance: 10 },
    is_proxy: true,
  },
  {
    contract_type: "proxy",
    has: [...owned, ...pausable],
    profile: { assets: [weth], settings },
    is_proxy: true,
  },
  {
    contract_type: "bridge_oapp",
    has: [...erc20, "event PeerSet(uint32,bytes32)"],
    profile: { token, usual, settings },
  },
  { contract_type: "unknown", has: owned, profile: { assets: [usdc], settings } },
  { contract_type: "wallet", profile: { assets: [usdc], holds_native: true, native_balance: 10 } },
];

/** The facts of the contract of a number: the kinds take turns. */
export function factsOf(number: number): ContractFacts {
  const { contract_type, has = [], profile = {}, is_proxy = false } = kinds[number % kinds.length] as Kind;
  const isEvent = (text: string) => text.startsWith("event ");
  const selectors = has
    .filter((text) => !isEvent(text))
    .map((text) => selectorIn(canonicalFunction(text), text));
  const topics = has
    .filter(isEvent)
    .map((text) => selectorIn(canonicalEvent(text.slice("event ".length)), text));
  return {
    ...{ kind: "evm", contract_type, is_proxy, events: undefined, functions: undefined, targets: [] },
    profile: { ...emptyProfile, ...profile, selectors, topics },
  };
}

function selectorIn(
  read: ReturnType<typeof canonicalEvent> | ReturnType<typeof canonicalFunction>,
  text: string,
) {
  if (!read.ok) throw new Error(`${text} is not a signature.`);
  return read.selector;
}
