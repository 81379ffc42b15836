import { z } from "zod";
import { eventReading } from "../evidence.ts";
import { defineMeter } from "../meter.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { decodedOf, decodedText, senderText } from "../words.ts";

/** Events of settings that decide who may release, mint or price assets. Ordinary operation does not emit them. */
export const settingEvents = [
  // Peers of cross-chain applications
  "PeerSet(uint32 eid, bytes32 peer)",
  "SetTrustedRemote(uint16 remoteChainId, bytes path)",
  "SetTrustedRemoteAddress(uint16 remoteChainId, bytes remoteAddress)",
  "RemoteTokenMessengerAdded(uint32 domain, bytes32 tokenMessenger)",
  // Validators, relayers and signers of bridges
  "ValidatorAdded(address validator)",
  "ValidatorRemoved(address validator)",
  "RelayerAdded(address relayer)",
  "RelayerRemoved(address relayer)",
  "SignerAdded(address signer)",
  "SignerRemoved(address signer)",
  "SignersUpdated(address[] signers, uint256[] powers)",
  "GuardianSetAdded(uint32 index)",
  "ThresholdChanged(uint256 threshold)",
  "ThresholdUpdated(uint256 threshold)",
  "RelayerThresholdChanged(uint256 threshold)",
  "SignatureThresholdUpdated(uint256 oldSignatureThreshold, uint256 newSignatureThreshold)",
  "AttesterEnabled(address attester)",
  "AttesterDisabled(address attester)",
  "BridgeUpdated(address oldBridge, address newBridge)",
  // Who may mint
  "MinterAdded(address account)",
  "MinterRemoved(address account)",
  "MasterMinterChanged(address newMasterMinter)",
  // Prices and collateral of lending markets
  "NewPriceOracle(address oldPriceOracle, address newPriceOracle)",
  "NewCollateralFactor(address cToken, uint256 oldCollateralFactorMantissa, uint256 newCollateralFactorMantissa)",
  "NewComptroller(address oldComptroller, address newComptroller)",
  "NewImplementation(address oldImplementation, address newImplementation)",
  "PriceOracleUpdated(address oldAddress, address newAddress)",
  "PoolUpdated(address oldAddress, address newAddress)",
  "PoolConfiguratorUpdated(address oldAddress, address newAddress)",
  "ACLManagerUpdated(address oldAddress, address newAddress)",
  "AssetSourceUpdated(address asset, address source)",
  "FallbackOracleUpdated(address fallbackOracle)",
  "CollateralConfigurationChanged(address asset, uint256 ltv, uint256 liquidationThreshold, uint256 liquidationBonus)",
  "OracleUpdated(address oldOracle, address newOracle)",
  "OracleChanged(address oldOracle, address newOracle)",
  "OracleSet(address oracle)",
  "PriceFeedUpdated(address oldFeed, address newFeed)",
  // Rules of governors
  "TimelockChange(address oldTimelock, address newTimelock)",
  "QuorumNumeratorUpdated(uint256 oldQuorumNumerator, uint256 newQuorumNumerator)",
  "VotingDelaySet(uint256 oldVotingDelay, uint256 newVotingDelay)",
  "VotingPeriodSet(uint256 oldVotingPeriod, uint256 newVotingPeriod)",
  "ProposalThresholdSet(uint256 oldProposalThreshold, uint256 newProposalThreshold)",
] as const;

const standard = standardEvents(settingEvents);

/** Counts changes of critical settings. */
export const configurationChange = defineMeter({
  type: "configuration_change",
  title: "Critical settings",
  about:
    "Counts events that change a critical setting: peers, validators, relayers, signers and thresholds of bridges, minters, price oracles and collateral factors of lending markets, and the rules of governors.",
  unit: "changes",
  isOccurrence: true,
  families: ["evm"],
  needsCode: true,
  instances: "one",
  config: z.strictObject({}),
  needs: ["logs"],
  events: (_config, { address }) => [{ address, topics: standard.topics() }],
  declaredEvents: () => standard.all(),
  aggregation: "count",

  measure(_config, { events }, { address }) {
    return selectEvents(events, address, standard).map((event) => eventReading(event, 1));
  },

  describe(_config, { reading, words }) {
    const decoded = decodedOf(reading);
    const what = decoded ? `setting changed: ${decodedText(decoded, words)}` : "a critical setting changed";
    return `${what}${senderText(reading, words)}`;
  },
});
