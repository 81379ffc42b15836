import { onFirstUse } from "../../lib/caching/on-first-use.ts";
import type { Pause } from "../../lib/concurrency/pauses.ts";
import type { Activity, Call } from "../activity.ts";
import type { Block, InternalCall, Log, Transaction } from "../block.ts";
import type { MonitoredContract, MonitoredContracts } from "../family.ts";
import { emptyAbi } from "./abi/abi.ts";
import { decodeCall, decodeLog } from "./abi/decode.ts";

/** Decodes the transactions, internal calls and logs that touch a monitored address. */
export async function decodeEvmBlock<Contract extends MonitoredContract>(
  block: Block,
  monitored: MonitoredContracts<Contract>,
  pause: Pause,
): Promise<Map<Contract, Activity>> {
  const activities = new Map<Contract, Activity>();
  const activityOf = (contract: Contract) => {
    const cached = activities.get(contract);
    if (cached) return cached;
    const { height, time, transactions } = block;
    const created: Activity = { height, time, calls: [], events: [], transactions };
    activities.set(contract, created);
    return created;
  };
  for (const tx of block.transactions) {
    await pause();
    if (tx.to) addCalls(monitored.at(tx.to), tx, "to", activityOf);
    // A transaction to oneself is one transaction, to the contract.
    if (tx.from !== tx.to) addCalls(monitored.at(tx.from), tx, "from", activityOf);
  }
  for (const call of block.internal_calls ?? []) {
    await pause();
    for (const contract of monitored.at(call.to)) {
      if (call.to !== contract.subject.address || !monitored.needsTraces(contract)) continue;
      const activity = activityOf(contract);
      activity.internal ??= [];
      activity.internal.push(toInternalCall(call, contract));
    }
  }
  const senderOf = makeSenderFinder(block);
  for (const log of block.logs) {
    const contracts = [...monitored.at(log.address)];
    const sender = contracts.length > 0 ? senderOf(log) : undefined;
    for (const contract of contracts) {
      await pause();
      const decoded = decodeLog(contract.subject.abi ?? emptyAbi, log);
      activityOf(contract).events.push({ ...log, decoded, sender });
    }
  }
  return activities;
}

/** Nodes of some chains skip indexes, and transactions may not have been read. */
function makeSenderFinder({ transactions, senders }: Block): (log: Log) => string | undefined {
  const byHash = onFirstUse(() => new Map(transactions.map((tx) => [tx.hash, tx])));
  return ({ tx_index, tx_hash }) => {
    const tx = transactions[tx_index];
    const transaction = tx?.hash === tx_hash ? tx : byHash().get(tx_hash);
    return transaction?.from ?? senders?.get(tx_hash);
  };
}

/** Only calls at the contract's own address are calls of it, not those at other addresses that its meters watch. */
function addCalls<Contract extends MonitoredContract>(
  contracts: Iterable<Contract>,
  tx: Transaction,
  direction: "to" | "from",
  activityOf: (contract: Contract) => Activity,
): void {
  const address = direction === "to" ? tx.to : tx.from;
  for (const contract of contracts) {
    if (address === contract.subject.address)
      activityOf(contract).calls.push(toCall(tx, direction, contract));
  }
}

function toCall(tx: Transaction, direction: "to" | "from", { subject }: MonitoredContract): Call {
  return {
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
    decoded: direction === "to" ? decodeCall(subject.abi ?? emptyAbi, tx.input) : undefined,
  };
}

/** A call by another contract has neither a nonce nor gas settings. */
function toInternalCall({ is_success, ...call }: InternalCall, { subject }: MonitoredContract): Call {
  return {
    ...call,
    direction: "to",
    nonce: 0,
    gas_limit: 0n,
    gas_price: null,
    receipt: { is_success, gas_used: 0n },
    decoded: decodeCall(subject.abi ?? emptyAbi, call.input),
  };
}
