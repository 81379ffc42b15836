import type { Block, Log, Transaction } from "../chains/block.ts";
import { decodeCall, decodeLog } from "../chains/evm/decode.ts";
import type { Activity, Call, Emitted } from "../meters/meter.ts";
import type { WatchedContract, WatchList } from "./watch-list.ts";

/** What a block held for each contract that it touches; nothing else in it is looked at. */
export function decode(block: Block, watchList: WatchList): Map<WatchedContract, Activity> {
  const touched = new Map<WatchedContract, Activity>();
  const activityOf = (contract: WatchedContract) => {
    const known = touched.get(contract);
    if (known) return known;
    const fresh: Activity = { height: block.height, time: block.time, calls: [], events: [] };
    touched.set(contract, fresh);
    return fresh;
  };
  for (const tx of block.transactions) {
    if (tx.to) for (const contract of watchList.at(tx.to)) addCall(activityOf, contract, tx, "to");
    for (const contract of watchList.at(tx.from)) addCall(activityOf, contract, tx, "from");
  }
  for (const log of block.logs) {
    for (const contract of watchList.at(log.address))
      activityOf(contract).events.push(toEmitted(log, contract));
  }
  return touched;
}

/** A transaction concerns the contract itself only, not the other addresses that its meters watch. */
function addCall(
  activityOf: (contract: WatchedContract) => Activity,
  contract: WatchedContract,
  tx: Transaction,
  direction: "to" | "from",
): void {
  const { address, abi } = contract.subject;
  if ((direction === "to" ? tx.to : tx.from) !== address) return;
  const call: Call = {
    tx_hash: tx.hash,
    tx_index: tx.index,
    direction,
    from: tx.from,
    to: tx.to,
    value: tx.value,
    input: tx.input,
    nonce: tx.nonce,
    gas_limit: tx.gas_limit,
    gas_price: tx.gas_price,
    receipt: tx.receipt,
    decoded: direction === "to" ? decodeCall(abi, tx.input) : undefined,
  };
  activityOf(contract).calls.push(call);
}

function toEmitted(log: Log, contract: WatchedContract): Emitted {
  return { ...log, decoded: decodeLog(contract.subject.abi, log) };
}
