import type { Manners } from "./proxy.ts";

/** One behaviour of providers or chains, as a member of the zoo. */
export type Behaviour = {
  /** Continues the sentence "a provider that …". */
  name: string;
  /** Makes the manners of the provider; `now` is the clock of the reader, in milliseconds. */
  manners(now: () => number): Manners;
  /** The chain whose definition is used; a development chain by default. */
  chain?: string;
  /** True if the provider has a websocket and no HTTP. */
  isSocketOnly?: true;
  /** A second endpoint without any fault, for behaviours that leave nothing to read. */
  besideHealthyNode?: true;
  /** What the blocks of the chain contain. */
  blocks?: { feesOfFailed?: true; gasWithoutTransactions?: true };
  /** True if no target needs receipts, so that logs are read instead. */
  readsLogs?: true;
  /** How the chain numbers its logs. */
  logIndexOf?(index: number): number;
  /** The number of targets whose state is read; two by default. */
  stateTargets?: number;
  /** The time that the provider itself makes callers wait for the requests of a block. */
  waitsMs?: number;
  /** The sentence in the status of the chain or of the state target. */
  says: { of: "chain" | "target"; what: RegExp };
  /** True if state targets get readings all the same. */
  readsState: boolean;
  /** Why no development node can stand behind the provider. */
  notOnDevelopmentNode?: string;
};

export const stateMethods = new Set([
  "eth_call",
  "eth_getBalance",
  "eth_getStorageAt",
  "eth_getCode",
  "eth_getTransactionCount",
]);
