import { type App, inSeconds } from "../app.ts";
import { chainOf, chains } from "../chains/index.ts";
import { ChainError } from "../chains/reader.ts";
import { itemsOf } from "../inspection/find-abi.ts";
import { type Inspection, inspect } from "../inspection/inspect.ts";
import { listChainSwitches } from "../store/chain-switches.ts";
import {
  claimInspections,
  type DueInspection,
  endMissingCode,
  type InspectedContract,
  noteInspection,
  noteMissingCode,
  postponeInspections,
} from "../store/inspections.ts";
import { noteWatchChange } from "../store/watch.ts";
import { systemCaller } from "./caller.ts";
import { isEnabled } from "./chains.ts";
import { settleStatus } from "./contract-status.ts";
import { servicesOf } from "./questions.ts";
import { write } from "./write.ts";

const atOnce = 10;
const leaseSeconds = 300;
const retrySeconds = 60;
const longestWaitSeconds = 3_600;
/** Nobody waits for it, so that a slow service may take its time. */
const servicePatienceMs = 8_000;
const noCode = "There is no code at this address.";

/** Finds out what contracts are that nobody has looked at yet, and looks again at those without code. */
export async function inspectDue(app: App): Promise<{ hasMore: boolean }> {
  const switches = await listChainSwitches(app.db);
  const readable = chains.filter((chain) => chain.kind === "evm" && isEnabled(app, chain, switches));
  const keys = readable.map(({ chain }) => chain);
  const due = await claimInspections(app.db, keys, app.clock.now(), inSeconds(app, leaseSeconds), atOnce);
  const byChain = [...Map.groupBy(due, ({ chain }) => chain)];
  const done = await Promise.all(byChain.map(([chain, contracts]) => inspectOn(app, chain, contracts)));
  return { hasMore: due.length === atOnce && done.every(Boolean) };
}

/** One after the other; when the chain cannot be read, the rest waits as well. False then. */
async function inspectOn(app: App, key: string, contracts: DueInspection[]): Promise<boolean> {
  const chain = chainOf(key);
  for (const [index, contract] of contracts.entries()) {
    try {
      if (!chain) throw new ChainError("The chain is not known.");
      const found = await inspect(
        app.chains.ask(chain),
        servicesOf(app),
        contract.address,
        servicePatienceMs,
      );
      await note(app, contract, found);
    } catch (error) {
      const rest = contracts.slice(index).map(({ id }) => id);
      await postponeInspections(app.db, rest, inSeconds(app, retrySeconds));
      if (!(error instanceof ChainError)) throw error;
      app.log.debug({ chain: key, err: error }, "contracts could not be inspected; trying again");
      return false;
    }
  }
  return true;
}

async function note(app: App, contract: DueInspection, found: Inspection): Promise<void> {
  await write(app, systemCaller, async (tx, { hint }) => {
    await noteWatchChange(tx, contract.chain, contract.id);
    if (found.facts.resolved.code === "0x") {
      // Soon at first: a node may not have seen the block yet that made the contract.
      const wait = Math.min(longestWaitSeconds, 30 * 4 ** Math.min(contract.inspections, 5));
      await noteMissingCode(tx, contract.id, noCode, inSeconds(app, wait));
    } else {
      await noteInspection(tx, contract.id, toInspected(found));
      if (await endMissingCode(tx, contract.id, noCode))
        await settleStatus(app, tx, contract.org_id, contract.id);
    }
    hint({ topic: "watch.changed" });
  });
}

function toInspected({ facts, classification }: Inspection): InspectedContract {
  const { resolved, abi } = facts;
  const items = itemsOf(abi.abi);
  return {
    category: classification.category,
    contract_type: classification.contract_type,
    is_proxy: resolved.hops.length > 0,
    implementation_address: resolved.hops.length > 0 ? (resolved.implementations[0] ?? null) : null,
    is_verified: abi.is_verified,
    abi: items.length > 0 ? items : null,
    abi_source: abi.abi_source,
  };
}
