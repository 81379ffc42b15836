import type { AddressScan, Block, Transaction } from "../../block.ts";
import type { LocatedTransaction } from "./transaction.ts";

/** A slot with what was found in it, as the engine takes it. */
export function toBlock(slot: {
  height: number;
  hash: string | undefined;
  /** Where the slot holds nothing that says when it was. */
  time: number | undefined;
  found: LocatedTransaction[];
  seen: AddressScan;
}): Block {
  const { height, hash, found, seen } = slot;
  // Time never runs backwards for the engine, so that an unknown time is that of the block before.
  const time = found.find((one) => one.time !== null)?.time ?? slot.time ?? 0;
  return {
    height,
    hash: hash ?? String(height),
    parent_hash: "",
    time,
    transactions: found.map(({ transaction }, index) => toTransaction(transaction, index)),
    logs: [],
    seen,
  };
}

function toTransaction(solana: LocatedTransaction["transaction"], index: number): Transaction {
  return {
    hash: solana.signature,
    index,
    from: solana.fee_payer,
    to: null,
    value: 0n,
    input: "0x",
    nonce: 0,
    gas_limit: 0n,
    gas_price: null,
    receipt: { is_success: solana.is_success, gas_used: solana.compute_units },
    solana,
  };
}
