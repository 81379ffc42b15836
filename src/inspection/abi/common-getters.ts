import { pauseFunctions } from "../../meters/state/pause-events.ts";

/** What functions are named after that return who controls a contract, or whom it relies on. */
const addresses =
  `admin governance governor gov guardian oracle priceOracle priceFeed priceSource feed source aggregator strategy
  strategist controller comptroller manager keeper updater minter masterMinter operator validator signer relayer verifier
  authority executor timelock treasury feeRecipient feeCollector bridge gateway messenger router registry logic impl
  singleton handler guard module interestRateModel rateModel accessControl accessManager council multisig dao custodian
  sequencer reporter vaultManager proxyOwner proxyAdmin migrator devaddr dev devAddress authorizer beneficiary receiver recipient
  rewardsVault rewardVault rewardsRecipient rewardReceiver feeReceiver feeTo feeToSetter feeWallet marketingWallet
  treasuryWallet upgradedAddress governanceAddress adminAddress ownerAddress minterAddress vault liquidator allocator
  curator sentinel pauser upgrader resolver forwarder trustedForwarder pricer rateProvider rateSetter endpoint delegate
  hat authority rewardsDistribution rewardsDistributor rewardDistributor rewardsController incentivesController distributor
  lendingPool lendingPoolConfigurator poolConfigurator poolDataProvider ACLManager ACLAdmin emergencyAdmin poolAdmin
  riskAdmin riskManager rescuer masterOwner`.split(/\s+/);

const numbers =
  `threshold quorum required requirement delay fee feeBps feeRate swapFee protocolFee adminFee admin_fee tax taxRate buyTax
  sellTax transferFee mintFee redeemFee performanceFee managementFee withdrawalFee collateralFactor ltv maxLtv
  liquidationThreshold requiredSignatures requiredConfirmations supplyCap borrowCap mintCap swapFeePercentage
  basisPointsRate maximumFee rewardPerBlock rewardPerSecond rewardsPerSecond emissionRate emissionPerSecond sushiPerBlock
  cakePerBlock tokenPerBlock m_required m_numOwners m_dailyLimit optimisticSeconds minAcceptQuorumPct supportRequiredPct voteTime votingThreshold proposalThreshold minimumVoteWeight`.split(
    /\s+/,
  );

const words = ["withdrawalCredentials", "withdrawal_credentials"];

const switches =
  "tradingEnabled transfersEnabled mintingEnabled withdrawalsPaused depositsPaused emergencyMode deprecated inRecoveryMode".split(
    " ",
  );

/** Getters of settings, whose names bytecode does not show. */
export function commonGetters(): string[] {
  return [
    ...addresses.flatMap((name) => [
      `${name}() view returns (address)`,
      `${getterOf(name)}() view returns (address)`,
    ]),
    ...numbers.flatMap((name) => [
      `${name}() view returns (uint256)`,
      `${getterOf(name)}() view returns (uint256)`,
    ]),
    ...words.flatMap((name) => [
      `${name}() view returns (bytes32)`,
      `${getterOf(name)}() view returns (bytes32)`,
    ]),
    ...[...switches.map((name) => `${name}()`), ...pauseFunctions].map(
      (getter) => `${getter} view returns (bool)`,
    ),
  ];
}

function getterOf(name: string): string {
  return `get${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
