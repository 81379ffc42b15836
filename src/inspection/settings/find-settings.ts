import type { Hex } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { ownershipDeclarations } from "../../meters/control/ownership-events.ts";
import { standardEvents } from "../../meters/standard-events.ts";
import { pauseFunctions } from "../../meters/state/pause-events.ts";
import type { Profile } from "../profile/profile.ts";
import { findOwnEvents } from "./own-events.ts";
import { findSettingFunctions } from "./setting-functions.ts";

type SettingsInput = {
  address: string;
  contract_type: string;
  abi: AbiIndex;
  topics: readonly Hex[];
  isProxy: boolean;
};

const ownership = standardEvents(ownershipDeclarations);
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
): Promise<Pick<Profile, "settings" | "liquidations">> {
  const own = await findOwnEvents(client, pinned, { address, abi, topics });
  const reportsOwners = ownership.topics().some((topic) => abi.events.has(topic) || topics.includes(topic));
  const leftOut = new Set([
    ...(reportsOwners ? ["owner", "getOwner", "admin"] : []),
    ...(isProxy ? ["implementation", "masterCopy", "admin", "beacon"] : []),
    ...pauseFunctions.map((one) => one.slice(0, one.indexOf("("))),
    ...(watchedElsewhere[contract_type] ?? []),
  ]);
  const isLeftOut = (name: string) => leftOut.has(name);
  const functions = await findSettingFunctions(pinned, { address, abi, isLeftOut });
  const isKnown = own.settings.length + functions.length > 0;
  return { settings: isKnown ? { events: own.settings, functions } : null, liquidations: own.liquidations };
}
