import type { AddressScan, Block, Transaction } from "../../block.ts";
import type { LocatedTransaction } from "./transaction.ts";

/** Converts a slot with the transactions of watched addresses into a block. */
export function toBlock(slot: {
  height: number;
  hash: string | undefined;
  /** For a slot without transactions that have a time. */
  time: number | undefined;
  /** A later time is not believed, because time never runs backwards: one invalid time would stop all rules. */
  latest: number;
  found: LocatedTransaction[];
  seen: AddressScan;
}): Block {
  const { height, hash, latest, found, seen } = slot;
  const times = [...found.map(({ time }) => time), slot.time].filter((time) => typeof time === "number");
  // The engine never lets time run backwards, so with 0 the block gets the time of the previous one.
  const time = times.find((time) => time <= latest) ?? 0;
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
