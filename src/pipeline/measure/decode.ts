import type { Block, InternalCall, Log, Transaction } from "../../chains/block.ts";
import { decodeCall, decodeLog } from "../../chains/evm/abi/decode.ts";
import { decodeEvent, decodeInstruction, eventsIn } from "../../chains/solana/idl/decode.ts";
import { noIdl } from "../../chains/solana/idl/idl.ts";
import type { SolanaTransaction } from "../../chains/solana/transactions/transaction.ts";
import type { Activity, Call, Emitted } from "../../meters/meter.ts";
import type { WatchedContract, WatchList } from "../watch/watch-list.ts";

/** What a block held for each contract that it touches; nothing else in it is looked at. */
export function decode(block: Block, watchList: WatchList): Map<WatchedContract, Activity> {
  const touched = new Map<WatchedContract, Activity>();
  const activityOf = (contract: WatchedContract) => {
    const known = touched.get(contract);
    if (known) return known;
    const { height, time, transactions } = block;
    const fresh: Activity = { height, time, calls: [], events: [], transactions };
    touched.set(contract, fresh);
    return fresh;
  };
  for (const tx of block.transactions) {
    if (tx.solana) {
      addSolana(activityOf, watchList, tx, tx.solana);
      continue;
    }
    if (tx.to) for (const contract of watchList.at(tx.to)) addCall(activityOf, contract, tx, "to");
    for (const contract of watchList.at(tx.from)) addCall(activityOf, contract, tx, "from");
  }
  for (const call of block.internal_calls ?? []) {
    for (const contract of watchList.at(call.to)) addInternal(activityOf, contract, call);
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

/** A call by another contract, as far as a call has something to say there. */
function addInternal(
  activityOf: (contract: WatchedContract) => Activity,
  contract: WatchedContract,
  { is_success, ...call }: InternalCall,
): void {
  const { address, abi } = contract.subject;
  if (call.to !== address || !contract.targets.some(({ meter, config }) => meter.traces?.(config))) return;
  const activity = activityOf(contract);
  activity.internal = [
    ...(activity.internal ?? []),
    {
      ...call,
      direction: "to",
      nonce: 0,
      gas_limit: 0n,
      gas_price: null,
      receipt: { is_success, gas_used: 0n },
      decoded: decodeCall(abi, call.input),
    },
  ];
}

function toEmitted(log: Log, contract: WatchedContract): Emitted {
  return { ...log, decoded: decodeLog(contract.subject.abi, log) };
}

/** A transaction on Solana concerns every account that it loads, the programs that it calls among them. */
function addSolana(
  activityOf: (contract: WatchedContract) => Activity,
  watchList: WatchList,
  tx: Transaction,
  solana: SolanaTransaction,
): void {
  const contracts = new Set(solana.accounts.flatMap((address) => [...watchList.at(address)]));
  const emitted = contracts.size > 0 ? eventsIn(solana) : [];
  for (const contract of contracts) {
    const { address, idl = noIdl } = contract.subject;
    const activity = activityOf(contract);
    const call = solanaCall(tx, solana, address);
    if (!solana.accounts.includes(address)) {
      activity.nearby = [...(activity.nearby ?? []), call];
      continue;
    }
    const called = solana.instructions.filter(({ program }) => program === address);
    activity.calls.push({ ...call, called: called.flatMap((one) => decodeInstruction(idl, one) ?? []) });
    const own = emitted.filter(({ program }) => program === address);
    for (const event of own) {
      activity.events.push({
        address,
        tx_hash: tx.hash,
        tx_index: tx.index,
        log_index: event.position,
        position: event.position,
        topics: [],
        data: `0x${event.data.toString("hex")}`,
        decoded: decodeEvent(idl, event),
      });
    }
  }
}

function solanaCall(tx: Transaction, solana: SolanaTransaction, address: string): Call {
  return {
    tx_hash: tx.hash,
    tx_index: tx.index,
    direction: solana.fee_payer === address ? "from" : "to",
    from: solana.fee_payer,
    to: address,
    value: 0n,
    input: "0x",
    nonce: 0,
    gas_limit: 0n,
    gas_price: null,
    receipt: tx.receipt,
    decoded: undefined,
    solana,
  };
}
