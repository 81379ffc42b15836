import { type App, inSeconds } from "../../app.ts";
import { chainOf, chains } from "../../chains/index.ts";
import { listChainSwitches } from "../../store/contracts/chain-switches.ts";
import {
  listChainsInError,
  listChainsWithoutFollower,
  markContractsChainOff,
  markContractsChainOn,
} from "../../store/contracts/disabled-chains.ts";
import type { Db } from "../../store/open-store.ts";
import { systemCaller } from "../caller.ts";
import { inTransaction } from "../transaction.ts";
import { isEnabled } from "./chains.ts";

/** The time that another process may take to restart. */
const restartSeconds = 600;

/** Marks contracts on disabled chains as not monitored, and clears the mark when the chain is enabled again. */
export async function markDisabledChains(app: App): Promise<{ hasMore: boolean }> {
  const switches = await listChainSwitches(app.db);
  const enabled = chains.filter((chain) => isEnabled(app, chain, switches)).map(({ chain }) => chain);
  const switchedOff = chains.map(({ chain }) => chain).filter((chain) => switches.get(chain) === false);
  const before = inSeconds(app, -restartSeconds);
  const off = await listChainsWithoutFollower(app.db, { enabled, off: switchedOff, before });
  const back = (await listChainsInError(app.db)).filter((chain) => enabled.includes(chain));
  let hasMore = false;
  for (const chain of off) hasMore = (await markContracts(app, chain, markContractsChainOff)) || hasMore;
  for (const chain of back) hasMore = (await markContracts(app, chain, markContractsChainOn)) || hasMore;
  return { hasMore };
}

type Mark = (db: Db, chain: string, note: { reason: string; now: Date }) => Promise<boolean>;

function markContracts(app: App, chain: string, mark: Mark): Promise<boolean> {
  const reason = `${chainOf(chain)?.name ?? chain} is switched off here.`;
  return inTransaction(app, systemCaller, (tx, { hint }) => {
    hint({ topic: "watch.changed" });
    return mark(tx, chain, { reason, now: app.clock.now() });
  });
}
