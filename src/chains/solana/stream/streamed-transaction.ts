import { EndpointFailure } from "../../rpc/failure.ts";
import { toBase58 } from "../accounts/address.ts";
import { type LocatedTransaction, readTransaction } from "../transactions/transaction.ts";
import type {
  Instruction,
  TokenBalance,
  TransactionStatusMeta,
  TransactionUpdate,
} from "./geyser-protocol.ts";

/** The accounts that a streamed transaction names, those of lookup tables included. */
export function accountsOf({ transaction }: TransactionUpdate): string[] {
  const { accountKeys = [] } = transaction?.transaction?.message ?? {};
  const { loadedWritableAddresses = [], loadedReadonlyAddresses = [] } = transaction?.meta ?? {};
  return [...accountKeys, ...loadedWritableAddresses, ...loadedReadonlyAddresses].map(toBase58);
}

/**
 * Reads a streamed transaction like one that a node returns. Undefined if it is incomplete, which a node may have recorded
 * completely, or if it failed: its error is in a format of its own, and a node returns it in the usual one.
 */
export function readStreamed(
  { transaction: info, slot }: TransactionUpdate,
  time: number | null,
): LocatedTransaction | undefined {
  const { transaction, meta, index } = info ?? {};
  if (!transaction?.message || !meta || meta.err || index === undefined) return undefined;
  if (meta.innerInstructionsNone || meta.logMessagesNone) return undefined;
  const signatures = transaction.signatures.map(toBase58);
  const { accountKeys, instructions } = transaction.message;
  const message = { accountKeys: accountKeys.map(toBase58), instructions: instructions.map(toInstruction) };
  const json = {
    slot: Number(slot),
    blockTime: time,
    transactionIndex: Number(index),
    transaction: { signatures, message },
    meta: toMeta(meta),
  };
  try {
    return readTransaction(json, signatures[0] ?? "");
  } catch (error) {
    if (error instanceof EndpointFailure) return undefined;
    throw error;
  }
}

function toMeta(meta: TransactionStatusMeta) {
  return {
    err: null,
    fee: meta.fee,
    preBalances: meta.preBalances,
    postBalances: meta.postBalances,
    preTokenBalances: meta.preTokenBalances.map(toTokenBalance),
    postTokenBalances: meta.postTokenBalances.map(toTokenBalance),
    innerInstructions: meta.innerInstructions.map(({ index, instructions }) => ({
      index,
      instructions: instructions.map(toInstruction),
    })),
    logMessages: meta.logMessages,
    loadedAddresses: {
      writable: meta.loadedWritableAddresses.map(toBase58),
      readonly: meta.loadedReadonlyAddresses.map(toBase58),
    },
    computeUnitsConsumed: meta.computeUnitsConsumed ?? 0n,
  };
}

function toInstruction({ programIdIndex, accounts, data, stackHeight }: Instruction) {
  return { programIdIndex, accounts: [...accounts], data, stackHeight };
}

/** An empty text stands for none in this protocol. */
function toTokenBalance({ accountIndex, mint, owner, programId, uiTokenAmount }: TokenBalance) {
  const { amount, decimals, uiAmountString } = uiTokenAmount ?? {};
  return {
    accountIndex,
    mint,
    owner: owner || null,
    programId: programId || null,
    uiTokenAmount: { amount, decimals, uiAmountString: uiAmountString || null },
  };
}
