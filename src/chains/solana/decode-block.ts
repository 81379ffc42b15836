import { memoizePair } from "../../lib/caching/memoize-pair.ts";
import type { Pause } from "../../lib/concurrency/pauses.ts";
import type { Activity, Call, Emitted } from "../activity.ts";
import type { Block, Transaction } from "../block.ts";
import type { MonitoredContract, MonitoredContracts } from "../family.ts";
import {
  decodeEvent,
  decodeInstruction,
  eventsIn,
  type ProgramEvent,
  type SolanaDecoded,
} from "./idl/decode.ts";
import { type Idl, noIdl } from "./idl/idl.ts";
import { failureOf } from "./idl/program-failure.ts";
import type { SolanaTransaction } from "./transactions/transaction.ts";

// Many organisations may watch one program; those with the same IDL share what is decoded.
export const decodeInstructionOnce = memoizePair(decodeInstruction);
const decodeEventOnce = memoizePair(decodeEvent);

/** Decodes transactions. Each concerns every account that it loads, including the programs that it calls. */
export async function decodeSolanaBlock<Contract extends MonitoredContract>(
  block: Block,
  monitored: MonitoredContracts<Contract>,
  pause: Pause,
): Promise<Map<Contract, Activity>> {
  const { height, time, transactions } = block;
  const activities = new Map<Contract, Activity>();
  for (const tx of transactions) {
    const { solana } = tx;
    if (!solana) continue;
    const contracts = new Set(solana.accounts.flatMap((address) => [...monitored.at(address)]));
    const emitted = contracts.size > 0 ? eventsIn(solana) : [];
    for (const contract of contracts) {
      const activity = activities.get(contract) ?? { height, time, calls: [], events: [], transactions };
      activities.set(contract, activity);
      await addTransaction(activity, contract, { tx, solana, emitted }, pause);
    }
  }
  return activities;
}

async function addTransaction(
  activity: Activity,
  { subject: { address, idl = noIdl } }: MonitoredContract,
  { tx, solana, emitted }: { tx: Transaction; solana: SolanaTransaction; emitted: ProgramEvent[] },
  pause: Pause,
): Promise<void> {
  const failure = failureOf(solana, address, idl);
  const call = { ...toCall(tx, solana, address), failure, unread: unreadIn(solana, address) };
  if (!solana.accounts.includes(address)) {
    activity.nearby ??= [];
    activity.nearby.push(call);
    return;
  }
  const called: SolanaDecoded[] = [];
  for (const instruction of solana.instructions.filter(({ program }) => program === address)) {
    await pause();
    const decoded = decodeInstructionOnce(idl, instruction);
    if (decoded) called.push(decoded);
  }
  activity.calls.push({ ...call, called });
  for (const event of emitted.filter(({ program }) => program === address)) {
    await pause();
    activity.events.push(toEmitted(event, tx, idl));
  }
}

/** Nodes cut off long logs. It concerns the programs that may have logged something. */
function unreadIn(solana: SolanaTransaction, address: string): Call["unread"] {
  if (solana.is_opaque) return "contents";
  if (solana.is_unrecorded) return "record";
  const hasRun = solana.is_truncated && solana.instructions.some(({ program }) => program === address);
  return hasRun ? "log" : undefined;
}

function toEmitted(event: ProgramEvent, tx: Transaction, idl: Idl): Emitted {
  return {
    address: event.program,
    tx_hash: tx.hash,
    tx_index: tx.index,
    log_index: event.position,
    position: event.position,
    topics: [],
    data: `0x${event.data.toString("hex")}`,
    decoded: decodeEventOnce(idl, event),
    sender: tx.from,
  };
}

function toCall(tx: Transaction, solana: SolanaTransaction, address: string): Call {
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
