import { type App, inSeconds } from "../../../app.ts";
import { deleteUnreadBefore } from "../../../store/contracts/unread-transactions.ts";
import type { NewEvent } from "../../../store/engine/alert-events.ts";
import type { ChainInfo } from "../../../wire/contracts/chains.ts";
import { findFailingChannels, findWithheldChannels } from "../../channels/channel-alerts.ts";
import { findGaps, findIdleChains, findLateChains, findUnread, unreadSeconds } from "./chain-alerts.ts";
import {
  causeOfUnfollowed,
  causeOfUnsearched,
  findUnfollowed,
  findUnmeasured,
  findUnsearched,
} from "./contract-alerts.ts";
import type { SharedCause } from "./shared-problems.ts";
import { causeOfSilence, findSilentTargets } from "./silent-targets.ts";
import { findStalledChains } from "./stalled-chains.ts";

/** Finds the problems of one kind. */
export type ProblemSearch = {
  find(app: App, enabled: ChainInfo[]): Promise<NewEvent[]>;
  /** The chains whose own alert explains such problems: they are not raised, but open alerts about them stay open. */
  findExplainedOn?(app: App, enabled: ChainInfo[]): Promise<Set<string>>;
  /** The cause of a problem, if it may be that of the nodes: many contracts that share it are one alert. */
  causeOf?(finding: NewEvent): SharedCause | undefined;
};

/** The searches by the kind of their problems, with which the subjects of their events begin. */
export const problemSearches: Record<string, ProblemSearch> = {
  stalled: { find: findStalledChains },
  late: { find: findLateChains },
  idle: { find: findIdleChains },
  gap: { find: findGaps },
  unread: { find: findRecentUnread },
  unfollowed: { find: findUnfollowed, causeOf: causeOfUnfollowed },
  unsearched: { find: findUnsearched, causeOf: causeOfUnsearched },
  unmeasured: { find: findUnmeasured },
  silent: { find: findSilentTargets, findExplainedOn: findStalled, causeOf: causeOfSilence },
  channel: { find: findFailingChannels },
  withheld: { find: findWithheldChannels },
};

async function findRecentUnread(app: App): Promise<NewEvent[]> {
  await deleteUnreadBefore(app.db, inSeconds(app, -unreadSeconds));
  return findUnread(app);
}

async function findStalled(app: App, enabled: ChainInfo[]): Promise<Set<string>> {
  return new Set((await findStalledChains(app, enabled)).map(({ chain }) => chain));
}
