import type { Hex, Transaction } from "./block.ts";
import type { Chain } from "./chain.ts";

/** A monitored contract. A chain family adds, in its folder, the compiled ABI or IDL that its decoder uses. */
export interface Subject {
  chain: Chain;
  address: string;
}

/** A decoded call or event, its arguments by name and as `$0`, `$1`, … */
export type Decoded = { name: string; signature: string; args: Record<string, unknown> };

/** A transaction that touches a contract. A chain family may add data of its own. */
export interface Call {
  tx_hash: string;
  tx_index: number;
  /** "to" for a transaction of the contract to itself, too. */
  direction: "to" | "from";
  from: string;
  to: string | null;
  value: bigint;
  input: Hex;
  nonce: number;
  gas_limit: bigint;
  gas_price: bigint | null;
  /** Null where no meter on the contract needed receipts. */
  receipt: { is_success: boolean; gas_used: bigint } | null;
  decoded: Decoded | undefined;
  /** What is missing of the transaction: everything but its success, what it invoked and logged, or a part of its log. */
  unread?: "contents" | "record" | "log" | undefined;
  /** The decoded calls to the contract, on a chain where one transaction can call it several times. */
  called?: Decoded[];
}

/** A log of the contract, or of another address that a meter on it watches. */
export type Emitted = {
  address: string;
  tx_hash: string;
  tx_index: number;
  log_index: number;
  /** Within its transaction. */
  position: number;
  topics: Hex[];
  data: Hex;
  decoded: Decoded | undefined;
  /** The sender of its transaction; undefined where the transaction was not read. */
  sender?: string | undefined;
};

/** The activity of one contract in one block, in the order of the block. */
export type Activity = {
  height: number;
  time: number;
  calls: Call[];
  events: Emitted[];
  /** Transactions that touch only other addresses that the contract's meters watch, such as its token accounts. */
  nearby?: Call[];
  /** Calls by other contracts, where traces were read. */
  internal?: Call[];
  /** All transactions of the block. One that made the contract emit an event may have called another contract. */
  transactions?: readonly Transaction[];
};
