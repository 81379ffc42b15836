import type { Hex } from "../../chains/block.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { ChainError } from "../../chains/reader.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import { ownershipDeclarations } from "../../meters/control/ownership-events.ts";
import { settingEvents } from "../../meters/control/setting-events.ts";
import { standardEvents } from "../../meters/standard-events.ts";
import { pauseDeclarations } from "../../meters/state/pause-events.ts";
import { maxCountWithin, timesOf } from "../profile/recent-flows.ts";
import { commonEvents } from "./common-events.ts";
import { declarationText } from "./declaration-text.ts";
import { namesLiquidation, namesSettingEvent } from "./setting-words.ts";

/** The events of a contract that no list of standard events has: those of settings, and of liquidations with their peak. */
export type OwnEvents = { settings: string[]; liquidations: { event: string; peak: number }[] };

const [maxSettings, maxLiquidations] = [24, 3];
const searchedBlocks = 50_000;
/** Some nodes report the span that they allow only when one is too wide. */
const maxRequests = 4;
const searchMs = 3_000;
/** The window of the rule about liquidations. */
const burstSeconds = 300;

/** Finds events by their names, or in code without a published source by their topics. */
export async function findOwnEvents(
  client: ChainClient,
  pinned: PinnedBlock,
  { address, abi, topics }: { address: string; abi: AbiIndex; topics: readonly Hex[] },
): Promise<OwnEvents> {
  const common = await commonEvents();
  const settings = new Map<Hex, string>();
  const liquidations = new Map<Hex, string>();
  for (const [topic, entries] of abi.events) {
    const [entry] = entries;
    const text = declarationText(entry);
    if (!entry || !text || isStandard(topic)) continue;
    if (namesLiquidation(entry.item.name)) liquidations.set(topic as Hex, text);
    else if (namesSettingEvent(entry.item.name)) settings.set(topic as Hex, text);
  }
  for (const topic of topics) {
    const [setting, liquidation] = [common.settings.get(topic), common.liquidations.get(topic)];
    if (setting && !settings.has(topic) && !isStandard(topic)) settings.set(topic, setting);
    if (liquidation && !liquidations.has(topic) && !isStandard(topic)) liquidations.set(topic, liquidation);
  }
  if (settings.size + liquidations.size === 0) return { settings: [], liquidations: [] };
  const past = await readPast(client, pinned, address, [...settings.keys(), ...liquidations.keys()]);
  return {
    settings: [...settings]
      .flatMap(([topic, text]) => (past.isOrdinary(topic) ? [] : [text]))
      .slice(0, maxSettings),
    liquidations: [...liquidations]
      .map(([topic, event]) => ({ event, peak: past.peakOf(topic) }))
      .slice(0, maxLiquidations),
  };
}

const standard = standardEvents([
  ...settingEvents,
  ...ownershipDeclarations,
  ...pauseDeclarations,
  // Events of proxies, whose changes have their own target, and of what each holder decides alone
  "Upgraded(address implementation)",
  "BeaconUpgraded(address beacon)",
  "AuthorizedOperator(address operator, address tokenHolder)",
  "RevokedOperator(address operator, address tokenHolder)",
  "OperatorSet(address owner, address operator, bool approved)",
  "LiquidationCall(address,address,address,uint256,uint256,address,bool)",
  "LiquidateBorrow(address,address,uint256,address,uint256)",
  "AbsorbDebt(address,address,uint256,uint256)",
]);

/** True if the event is standard or one of what each holder decides alone: other rules watch it, or none does. */
export function isStandard(topic: string): boolean {
  return standard.get(topic) !== undefined;
}

type Past = { isOrdinary(topic: Hex): boolean; peakOf(topic: Hex): number };

/** What was emitted in several hours, and in more hours than there were days, is no setting. Setting a contract up takes less. */
async function readPast(
  client: ChainClient,
  pinned: PinnedBlock,
  address: string,
  topics: Hex[],
): Promise<Past> {
  const { height, time } = pinned.block;
  const range = { from: Math.max(0, height - searchedBlocks), to: height, maxRequests };
  try {
    const timeout = () => new ChainError("The search for logs took too long.");
    const { logs } = await withDeadline(
      searchMs,
      client.logs({ addresses: [address], topics: [topics], ...range }),
      timeout,
    );
    const timeOf = await timesOf(client, pinned, logs);
    const times = Map.groupBy(
      logs.map((log) => ({ topic: log.topics[0], time: timeOf(log) })),
      ({ topic }) => topic,
    );
    const timesOfTopic = (topic: Hex) => (times.get(topic) ?? []).map(({ time }) => time);
    const oldest = Math.min(time, ...logs.map(timeOf));
    const days = (time - oldest) / 86_400;
    return {
      isOrdinary: (topic) =>
        new Set(timesOfTopic(topic).map((time) => Math.floor(time / 3600))).size >= Math.max(3, days),
      peakOf: (topic) => maxCountWithin(timesOfTopic(topic), burstSeconds),
    };
  } catch (error) {
    if (error instanceof ChainError) return { isOrdinary: () => false, peakOf: () => 0 };
    throw error;
  }
}
