import type { Hex } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { ownershipDeclarations } from "../../meters/control/ownership-events.ts";
import { standardEvents } from "../../meters/standard-events.ts";
import { pauseFunctions } from "../../meters/state/pause-events.ts";
import type { Profile } from "../profile/profile.ts";
import { findOwnEvents, isStandard } from "./own-events.ts";
import { findRareEvents } from "./rare-events.ts";
import { findSettingFunctions } from "./setting-functions.ts";

type SettingsInput = {
  address: string;
  contract_type: string;
  abi: AbiIndex;
  topics: readonly Hex[];
  isProxy: boolean;
};

const ownership = standardEvents(ownershipDeclarations);
/** Events that have rules of their own, or that users of every such contract cause. */
const coveredElsewhere = standardEvents([
  ...["Transfer(address,address,uint256)", "Approval(address,address,uint256)"],
  ...["ApprovalForAll(address,address,bool)", "TransferSingle(address,address,address,uint256,uint256)"],
  ...["TransferBatch(address,address,address,uint256[],uint256[])", "URI(string,uint256)"],
  ...["ExecutionFailure(bytes32,uint256)", "ExecutionFailure(uint256)", "ProposalExecuted(uint256)"],
  // What users of vaults, pools and stakes do, in code without a published source
  ...["Deposit(address,address,uint256,uint256)", "Withdraw(address,address,address,uint256,uint256)"],
  ...["Deposit(address,uint256)", "Withdraw(address,uint256)", "Withdrawal(address,uint256)"],
  ...["Deposit(address,uint256,uint256)", "Withdraw(address,uint256,uint256)"],
  ...["EmergencyWithdraw(address,uint256,uint256)", "Harvest(address,uint256,uint256)"],
  ...["Deposited(address,uint256)", "Withdrawn(address,uint256)", "Staked(address,uint256)"],
  ...["Unstaked(address,uint256)", "Claimed(address,uint256)", "RewardPaid(address,uint256)"],
  ...["Mint(address,uint256)", "Burn(address,uint256)", "Issue(uint256)", "Redeem(uint256)"],
  ...["Mint(address,uint256,uint256)", "Burn(address,uint256,uint256,address)"],
  ...["Redeem(address,uint256,uint256)", "Mint(address,address,int24,int24,uint128,uint256,uint256)"],
  ...["Burn(address,int24,int24,uint128,uint256,uint256)", "Sync(uint112,uint112)"],
  "Collect(address,address,int24,int24,uint128,uint128)",
  "Flash(address,address,uint256,uint256,uint256,uint256)",
  "CollectProtocol(address,address,uint128,uint128)",
  ...["DelegateChanged(address,address,address)", "DelegateVotesChanged(address,uint256,uint256)"],
  ...["AnswerUpdated(int256,uint256,uint256)", "NewRound(uint256,address,uint256)"],
  "ProposalCreated(uint256,address,address[],uint256[],string[],bytes[],uint256,uint256,string)",
  "CallScheduled(bytes32,uint256,address,uint256,bytes,bytes32,uint256)",
  "QueueTransaction(bytes32,address,uint256,string,bytes,uint256)",
  "DiamondCut((address,uint8,bytes4[])[],address,bytes)",
]);
/** A wallet of several owners has its own events; the others have rules of their own. */
const watchedElsewhere: Record<string, readonly string[]> = {
  oracle_feed: ["aggregator"],
  timelock: ["delay", "getMinDelay"],
  safe: ["getThreshold"],
};

/** Learns by which events and functions of its own a contract shows that its settings changed. */
export async function findSettings(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, contract_type, abi, topics, isProxy }: SettingsInput,
): Promise<Pick<Profile, "settings" | "liquidations" | "rare">> {
  const contractEvents = await findOwnEvents(client, pinned, { address, abi, topics });
  const named = standardEvents([
    ...contractEvents.settings,
    ...contractEvents.liquidations.map(({ event }) => event),
  ]);
  const isKnown = (topic: Hex) =>
    [ownership, coveredElsewhere, named].some((events) => events.get(topic)) || isStandard(topic);
  const rare = await findRareEvents(client, pinned, { address, abi, topics, isKnown });
  const reportsOwners = ownership.topics().some((topic) => abi.events.has(topic) || topics.includes(topic));
  const leftOut = new Set([
    ...(reportsOwners ? ["owner", "getOwner", "admin"] : []),
    ...(isProxy ? ["implementation", "masterCopy", "admin", "beacon"] : []),
    ...pauseFunctions.map((pauseFunction) => pauseFunction.slice(0, pauseFunction.indexOf("("))),
    ...(watchedElsewhere[contract_type] ?? []),
  ]);
  const isLeftOut = (name: string) => leftOut.has(name);
  const functions = await findSettingFunctions(pinned, { address, abi, isLeftOut });
  const hasSettings = contractEvents.settings.length + functions.length > 0;
  return {
    settings: hasSettings ? { events: contractEvents.settings, functions } : null,
    liquidations: contractEvents.liquidations,
    rare,
  };
}
