import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { Fork } from "../../chains/reader.ts";
import { listCodeBefore } from "../../store/engine/contract-code.ts";
import { recordHead } from "../../store/engine/cursors.ts";
import { listStatesAt } from "../../store/engine/rule-states.ts";
import { type Loaded, loadEngineState, recompileContract } from "../watch/load-state.ts";

/** Takes memory back to the block that our branch and the nodes' share. The store follows when the new branch is written. */
export async function rollBack(
  app: App,
  chain: Chain,
  loaded: Loaded,
  { ancestor, depth }: Fork,
): Promise<void> {
  app.log.warn({ chain: chain.chain, depth, to: ancestor.height }, "the chain was reorganised");
  const isDeep = depth > chain.finality_depth;
  if (isDeep || ancestor.height < loaded.height) {
    // So far back, memory does not know, or may have let go of, what the windows of that time need.
    Object.assign(loaded, await loadEngineState(app, chain, ancestor));
  } else {
    loaded.engine.rollBackTo(ancestor, await listStatesAt(app.db, chain.chain, ancestor.height));
  }
  for (const { contract_id, code } of await listCodeBefore(app.db, chain.chain, ancestor.height)) {
    const contract = loaded.engine.watchList.contract(contract_id);
    if (contract) await recompileContract(app, loaded.engine, contract, code, ancestor);
  }
  if (isDeep) await degrade(app, chain, { ancestor, depth });
}

/** Deeper than the chain should ever go back: still followed, but people must know. */
async function degrade(app: App, chain: Chain, { ancestor, depth }: Fork): Promise<void> {
  const degraded_reason =
    `A reorganisation went ${depth} blocks deep, back to block ${ancestor.height}; ` +
    `${chain.finality_depth} were held to be final.`;
  app.log.error({ chain: chain.chain, depth }, degraded_reason);
  await recordHead(app.db, chain.chain, { degraded_reason });
}
