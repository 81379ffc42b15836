/** Hexadecimal text as nodes send it. */
export type Hex = `0x${string}`;

/** A block as the engine takes it in: what happened, and where in the chain it stands. */
export type Block = {
  height: number;
  hash: string;
  parent_hash: string;
  /** Unix time in seconds, as the block itself says. */
  time: number;
  transactions: Transaction[];
  logs: Log[];
  /** Where a block is only what a reader found by address, what that was. */
  seen?: AddressScan;
  /** Calls that contracts made; undefined where nobody asked, or the nodes do not tell. */
  internal_calls?: InternalCall[];
};

/** A call that one contract made of another on the way of a transaction. */
export type InternalCall = {
  tx_hash: string;
  tx_index: number;
  from: string;
  to: string;
  input: Hex;
  value: bigint;
  is_success: boolean;
};

/**
 * What a reader found in a block that it had to put together: the transactions, the height after which it looked, and addresses
 * that it has looked at since then.
 */
export type AddressScan = { transactions: string[]; after: number; added: string[] };

/** A transaction of a block. A chain family may add data of its own. */
export interface Transaction {
  /** A signature on Solana. */
  hash: string;
  /** In the block. */
  index: number;
  /** EIP-55, as are all addresses here; base58 on Solana, where this is who pays. */
  from: string;
  /** Null when it creates a contract. */
  to: string | null;
  value: bigint;
  input: Hex;
  nonce: number;
  gas_limit: bigint;
  gas_price: bigint | null;
  /** Present where receipts were asked for. */
  receipt: { is_success: boolean; gas_used: bigint } | null;
}

export type Log = {
  address: string;
  topics: Hex[];
  data: Hex;
  tx_hash: string;
  tx_index: number;
  /** In the block, as nodes count. */
  log_index: number;
  /** Within its transaction, which a reorganisation does not change. */
  position: number;
};

/** One thing to read from a chain's state at a block. */
export type Read =
  | { kind: "call"; to: string; data: Hex }
  | { kind: "storage"; address: string; slot: Hex }
  | { kind: "balance"; address: string }
  /** The code at an address; `0x` where there is none. */
  | { kind: "code"; address: string }
  /** How many transactions an account has sent, or contracts a contract has made. */
  | { kind: "nonce"; address: string }
  /** Solana: who owns an account and its first bytes, as `src/chains/solana/accounts/account-state.ts` packs them. */
  | { kind: "account"; address: string; length: number }
  | { kind: "token_supply"; mint: string }
  /** All that a wallet or program has of a token, or that a token account holds. */
  | { kind: "token_balance"; mint: string; holder: string };

/** What a read gave: the returned bytes, or why there are none. */
export type ReadResult = { ok: true; data: Hex } | { ok: false; problem: string };
