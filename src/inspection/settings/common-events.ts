import type { Hex } from "../../chains/block.ts";
import { keccakOfText } from "../../chains/evm/values/keccak.ts";
import { onFirstSuccess } from "../../lib/caching/on-first-use.ts";
import { runInSlices, type Steps } from "../../lib/concurrency/steps.ts";

/** The nouns and verbs of which contracts make the names of their events. */
const subjects =
  `Owner Admin Governance Governor Guardian Minter Operator Validator Signer Relayer Attester Verifier Authority Oracle
  PriceOracle PriceFeed Feed PriceSource Source Strategy Strategist Controller Manager Keeper Updater Executor Timelock
  Treasury FeeRecipient Threshold Quorum Fee Fees Tax Taxes CollateralFactor LTV LiquidationThreshold Delay Peer Bridge
  Gateway Implementation Logic Module Guard Handler Router Registry InterestRateModel Whitelist Blacklist Cap Role Witness
  Authorizer Route Receiver Recipient Beneficiary Migrator Pricer EmissionRate WithdrawalCredentials
  LendingPool LendingPoolConfigurator PoolConfigurator PoolDataProvider ConfigurationAdmin EmergencyAdmin ACLAdmin
  ACLManager RewardsDistribution RewardsDistributor Distributor Dev DevAddress BlackList WhiteList MinQuorum Resolver Forwarder`.split(
    /\s+/,
  );
const endings =
  "Set Updated Changed Added Removed Replaced Moved Transferred Enabled Disabled Granted Revoked".split(" ");
const beginnings = "New Set Update Log".split(" ");
const listings =
  `Whitelisted Blacklisted UnBlacklisted Blocklisted AuthorityWhitelisted ValidatorWhitelisted RelayerWhitelisted
  RecoveryModeStateChanged AmpUpdateStarted AddedBlackList RemovedBlackList DestroyedBlackFunds Deprecate Deprecated Params
  NewRouteAdded ChangeSupportRequired ChangeMinQuorum UpdateEmissionRate
  MarketListed MarketDelisted AssetListed AssetDelisted CollateralListed
  SignerWhitelisted HolderBlocked Blocked Unblocked`.split(/\s+/);
const settingArguments =
  `address|address,address|address,bool|bool|address,uint256|uint256|uint256,uint256|uint8|address,uint256,uint256|
  address,address,address|address,address,uint256|bytes32|uint64|uint32,address|uint256,uint256,uint256,uint256|bytes32,address|uint256,address|uint256,uint256,uint256`
    .replace(/\s+/g, "")
    .split("|");

const liquidations =
  `Liquidate Liquidated Liquidation Liquidations LoanLiquidated PositionLiquidated AccountLiquidated VaultLiquidated
  BorrowLiquidated TroveLiquidated LiquidateLoan LiquidatePosition LogLiquidate`.split(/\s+/);
const liquidationArguments =
  `address|address,address|address,uint256|address,address,uint256|address,uint256,uint256|uint256|uint256,address|
  address,address,uint256,uint256|address,address,address,uint256|address,address,address,uint256,uint256|
  uint256,address,uint256|uint256,address,address|uint256,address,uint256,uint256|address,uint256,uint256,uint256|
  bytes32,address,address,uint256,uint256,uint256,uint256,uint256|address,address,uint256,uint256,uint256`
    .replace(/\s+/g, "")
    .split("|");

/** What users and keepers do, however seldom. */
const uses = [
  ...["Epoch", "Round", "Cycle"].flatMap((period) =>
    ["Started", "Ended", "Closed", "Settled", "Finalized", "Updated"].map((ending) => `${period}${ending}`),
  ),
  ...`RootUpdated RootPublished RateUpdated ExchangeRateUpdated PriceUpdated IndexUpdated Rebalanced Rebalance Rebase Harvest
  Harvested Compounded Reinvest FlashLoan FlashSwap FeesCollected FeeCollected CollectFees Claim Claimed RewardClaimed
  RewardsClaimed RewardPaid Deposit Deposited Withdraw Withdrawn Withdrawal Stake Staked Unstake Unstaked Mint Minted Burn
  Burned Redeem Redeemed Borrow Borrowed Repay Repaid Swap Swapped Buy Sell Bought Sold Skim Donated Settled Filled
  OrderFilled OrderCancelled Cancelled Released Vested Revealed MetadataUpdate BatchMetadataUpdate ProceedsWithdrawn
  AccrueInterest ReferralRegistered PositionOpened PositionClosed PositionTransferred Joined Exited Locked Unlocked`.split(
    /\s+/,
  ),
];
const useArguments =
  `|address|uint256|bytes32|string|address,uint256|uint256,uint256|uint256,address|address,bytes32|bytes32,uint256|address,address|
  address,address,uint256|address,uint256,uint256|uint256,uint256,uint256|uint256,address,uint256|uint256,address,address|
  uint256,bytes32|uint256,bytes32,bytes32|address,address,uint256,uint256|address,uint256,uint256,uint256|
  address,address,address,uint256|address,uint256,uint256,address|uint256,address,uint256,uint256|address,address,uint256,uint256,uint256`
    .replace(/\s+/g, "")
    .split("|");

/** The signatures of events by topic, which show what contracts without published source emit. */
export type CommonEvents = Record<"settings" | "liquidations" | "uses", ReadonlyMap<Hex, string>>;

/** Returns common events of settings, of liquidations and of ordinary use. They are some thousand hashes, which are made once. */
export const commonEvents = onFirstSuccess(() => runInSlices(commonEventSteps()));

function* commonEventSteps(): Steps<CommonEvents> {
  const names = [
    ...subjects.flatMap((subject) => [
      ...endings.map((ending) => `${subject}${ending}`),
      ...beginnings.map((beginning) => `${beginning}${subject}`),
    ]),
    ...listings,
  ];
  return {
    settings: yield* byTopic(names, settingArguments),
    liquidations: yield* byTopic(liquidations, liquidationArguments),
    uses: yield* byTopic(uses, useArguments),
  };
}

function* byTopic(names: readonly string[], shapes: readonly string[]): Steps<Map<Hex, string>> {
  const found = new Map<Hex, string>();
  for (const name of names) {
    yield;
    for (const shape of shapes) found.set(keccakOfText(`${name}(${shape})`), `${name}(${shape})`);
  }
  return found;
}
