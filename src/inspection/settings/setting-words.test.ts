import { expect, test } from "vitest";
import {
  namesLiquidation,
  namesSettingAddress,
  namesSettingEvent,
  namesSettingNumber,
  namesSwitch,
  namesUse,
} from "./setting-words.ts";

test.each([
  ...["StrategyReplaced", "GovernanceMoved", "TaxesUpdated", "HolderBlocked", "AuthorityWhitelisted"],
  ...["QuorumUpdated", "NewFeeRecipient", "LogicChanged", "SetInterestRateModel", "CollateralFactorUpdated"],
  ...["OracleSourceSet", "price_oracle_changed", "DVNConfigSet", "PriceFeedUpdated"],
  ...["MarketListed", "LendingPoolUpdated", "RewardsDistributionUpdated", "RateLimitsChanged"],
])("an event named %s changes a setting", (name) => {
  expect(namesSettingEvent(name)).toBe(true);
});

test.each([
  ...["Transfer", "Swap", "OraclePriceUpdated", "RateUpdated", "KeeperRewardSet", "OperatorApproved"],
  ...["DelegateChanged", "PositionUpdated", "FeesCollected", "DepositRequested", "Oracle", "Updated"],
  ...["ItemListed", "RootUpdated", "MarketEntered", "LimitOrderAdded"],
])("an event named %s changes no setting", (name) => {
  expect(namesSettingEvent(name)).toBe(false);
});

test("getters of settings are distinguished from those of ordinary use", () => {
  expect(["oracle", "feeRecipient", "interestRateModel"].every(namesSettingAddress)).toBe(true);
  expect(["lastOperator", "currentKeeper", "token", "pendingOwner"].some(namesSettingAddress)).toBe(false);
  expect(["sellTax", "quorum", "requiredSignatures", "minimumVoteWeight"].every(namesSettingNumber)).toBe(
    true,
  );
  expect(
    ["totalFees", "currentFee", "accruedFee", "price", "voteWeight", "totalWeight"].some(namesSettingNumber),
  ).toBe(false);
  expect(["periodFinish", "votingPeriodEnd", "delayUntil"].some(namesSettingNumber)).toBe(false);
  expect(["rewardsDistribution", "rewardsDistributor"].every(namesSettingAddress)).toBe(true);
  expect(["halted", "tradingEnabled", "is_killed"].map(namesSwitch)).toEqual([true, true, true]);
});

test("liquidations are distinguished from the settings of liquidations", () => {
  expect(["LoanLiquidated", "Liquidate", "PositionLiquidated"].every(namesLiquidation)).toBe(true);
  expect(
    ["LiquidationBonusChanged", "LiquidationThresholdSet", "LiquidityAdded"].some(namesLiquidation),
  ).toBe(false);
});

test.each([
  ...["EpochStarted", "RootUpdated", "MetadataUpdate", "Rebalanced", "FlashLoan", "ReferralRegistered"],
  ...["PositionTransferred", "OrderCancelled", "ProceedsWithdrawn", "FeesCollected"],
])("an event named %s is ordinary use", (name) => {
  expect(namesUse(name)).toBe(true);
});

test.each([
  ...["NewRouteAdded", "RateLimitsChanged", "PriceFeedUpdated", "VotingPeriodSet", "LiquidityMigrated"],
  ...["PositionMigrated", "TokensRecovered", "OrderFeeUpdated"],
])("an event named %s is no ordinary use", (name) => {
  expect(namesUse(name)).toBe(false);
});
