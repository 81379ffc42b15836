/** Hexadecimal text with a `0x` prefix. */
export type Hex = `0x${string}`;

export const zeroHash: Hex = `0x${"0".repeat(64)}`;

/** A block with its transactions and logs. */
export type Block = {
  height: number;
  hash: string;
  parent_hash: string;
  /** Unix time in seconds, from the block itself. */
  time: number;
  transactions: Transaction[];
  logs: Log[];
  /** The scan that produced the block, on a chain that is read by address. */
  seen?: AddressScan;
  /** The scan that produced the block, where only some events were read. */
  scan?: LogScan;
  /** Calls between contracts; undefined when they were not requested, were not returned yet or the nodes have no traces. */
  internal_calls?: InternalCall[];
  /** True if the block is processed without its internal calls, which the nodes have not returned yet. */
  untraced?: boolean;
  /** The senders of transactions with logs, by hash, where transactions were left out but happened to be returned. */
  senders?: ReadonlyMap<string, string>;
};

/** A call from one contract to another within a transaction. */
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
 * The scan of watched addresses that produced a block: the transactions found, the height after which the scan started, and
 * the addresses that are watched since that height.
 */
export type AddressScan = { transactions: string[]; after: number; added: string[] };

/** The scan for events up to a block, from the block before it: the set of events that was read, and those found in the block. */
export type LogScan = { filter: string; logs: string[] };

/** A transaction of a block. A chain family may add data of its own. */
export interface Transaction {
  /** The signature on Solana. */
  hash: string;
  /** The position in the block. */
  index: number;
  /** In EIP-55 spelling, like all EVM addresses; on Solana the fee payer, in base58. */
  from: string;
  /** Null when the transaction creates a contract. */
  to: string | null;
  value: bigint;
  input: Hex;
  nonce: number;
  gas_limit: bigint;
  gas_price: bigint | null;
  /** Null when receipts were not requested. */
  receipt: { is_success: boolean; gas_used: bigint } | null;
}

export type Log = {
  address: string;
  topics: Hex[];
  data: Hex;
  tx_hash: string;
  tx_index: number;
  /** The position in the block, as nodes count it. */
  log_index: number;
  /** Identifies the log within its transaction, which a reorg does not change. */
  position: number;
};

/** One read of the state of a chain at a block. */
export type Read =
  | { kind: "call"; to: string; data: Hex }
  | { kind: "storage"; address: string; slot: Hex }
  | { kind: "balance"; address: string }
  /** The code at an address; `0x` when there is none. */
  | { kind: "code"; address: string }
  /** The number of transactions an account has sent, or of contracts a contract has created. */
  | { kind: "nonce"; address: string }
  /** Solana: the owner and the first bytes of an account, packed by `src/chains/solana/accounts/account-state.ts`. */
  | { kind: "account"; address: string; length: number }
  | { kind: "token_supply"; mint: string }
  /** The token balance of a wallet or program over all its token accounts, or of one token account. */
  | { kind: "token_balance"; mint: string; holder: string }
  /** Solana: the token accounts of an owner, of one token or of all, packed by `src/chains/solana/accounts/token-accounts.ts`. */
  | { kind: "token_accounts"; owner: string; mint?: string }
  /** Solana: the accounts that recent transactions of an address gave to a program, 32 bytes each. */
  | { kind: "called_accounts"; address: string; program: string }
  /**
   * Solana: the token accounts that a program controls, and those that are known, packed by
   * `src/chains/solana/vaults/vault.ts`.
   */
  | { kind: "vaults"; program: string; known: readonly (HeldIn & { mint: string })[] }
  /** Solana: what token accounts hold together, of those that still have their owner. */
  | { kind: "vault_balance"; mint: string; vaults: readonly HeldIn[] };

/** A token account and its owner. */
type HeldIn = { account: string; owner: string };

/** The returned bytes, or the reason why the read failed: a code for programs and a sentence for people. */
export type ReadResult = { ok: true; data: Hex } | { ok: false; code: ReadFailureCode; problem: string };

export type ReadFailureCode =
  /** The contract rejected the call; every node would say so. */
  | "reverted"
  /** The nodes do not have the state, do not support the request or return an error. */
  | "unavailable"
  /** The rate limit of the nodes leaves no calls for it. */
  | "limited"
  | "timed_out";
