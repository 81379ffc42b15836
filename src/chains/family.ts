import type { Clock } from "../lib/clock.ts";
import type { Pause } from "../lib/concurrency/pauses.ts";
import type { Offload } from "../lib/concurrency/worker-pool.ts";
import type { Log } from "../lib/log/log.ts";
import type { Activity, Call, Decoded, Emitted, Subject } from "./activity.ts";
import type { Block, Read, ReadResult } from "./block.ts";
import type { Chain } from "./chain.ts";
import type { ChainClient } from "./chain-client.ts";
import type { StoredInterface } from "./decoding/stored-interfaces.ts";
import type { ChainReader } from "./reader.ts";
import type { EventFilter } from "./reading-plan.ts";
import type { CallBudget } from "./rpc/call-budget.ts";
import type { CallCounter } from "./rpc/call-counter.ts";

/** A chain family: how to read the blocks of its chains, and how to decode them into the activity that meters measure. */
export type ChainFamily = {
  /** Returns an address in its canonical spelling, or undefined when the text is not an address. */
  parseAddress(text: string): string | undefined;
  /** Opens the reader with which the engine follows a chain. */
  openReader(options: ReaderOptions): ChainReader;
  /** Estimates the calls a day to one endpoint if a chain is read for a single target with these needs, where that is known. */
  estimateCalls?(chain: Chain, needs: ReadonlySet<string>): number;
  /** Returns true for a state read that takes a call of its own, where others share calls. */
  needsOwnCall?(read: Read): boolean;
  /** Asks one endpoint what it can do. Rejects with a ChainError if it cannot be used at all. */
  checkEndpoint(options: EndpointCheckOptions): Promise<EndpointCheck>;
  /** Subscribes to a server that streams chains of this family, if there are any, and returns the first block that it sends. */
  checkStream?(server: StreamServer, clock: Clock): Promise<number>;
  /** Opens the client with which requests query a chain. */
  openClient(options: ClientOptions): ChainClient;
  /** Returns the problem with an uploaded ABI or IDL, or undefined when it can be used. */
  findInterfaceProblem(input: unknown): string | undefined;
  /** Prepares a stored contract for decoding. An ABI or IDL that cannot be used is left out. */
  compileSubject(contract: StoredContract, offload: Offload): Promise<Subject>;
  /**
   * Decodes what a block holds for each monitored contract that it touches. Senders of transactions decide how long that takes, so
   * `pause` lets other work run in between.
   */
  decodeBlock<Contract extends MonitoredContract>(
    block: Block,
    monitored: MonitoredContracts<Contract>,
    pause: Pause,
  ): Promise<Map<Contract, Activity>>;
  /** Returns addresses that events of a block name, such as the holders of transferred tokens: their state may have changed. */
  mentionedIn?(block: Block): Iterable<string>;
  /** Prepares a function that a rule names by its signature; undefined when the signature cannot be parsed. */
  compileFunction(signature: string): NamedItem<Pick<Call, "input" | "decoded">> | undefined;
  /** Prepares an event that a rule names by its signature; undefined when the signature cannot be parsed. */
  compileEvent(signature: string): NamedItem<Pick<Emitted, "topics" | "data" | "decoded">> | undefined;
  /** The names that an expression about a transaction may use on chains of this family only. */
  transactionFields(transaction: Partial<Call>): Record<string, unknown>;
  code: CodeDiscovery;
};

export type ReaderOptions = {
  chain: Chain;
  urls: readonly string[];
  /** The server that streams the chain, beside its nodes. */
  stream?: StreamServer | undefined;
  clock: Clock;
  log?: Log | undefined;
  /** Subscribes to hints that the chain has new activity; returns a function that unsubscribes. */
  onHint?: ((poll: () => void) => () => void) | undefined;
  /** Counts the calls to the endpoints. */
  counter?: CallCounter | undefined;
  /** Slows the polls before the calls of a day are used up. */
  budget?: CallBudget | undefined;
  /** The interval between polls that the operator chose. */
  pollMs?: number | undefined;
};

export type StreamServer = { url: string; token: string | undefined };

export type EndpointCheckOptions = { chain: Chain; url: string; clock: Clock };

export type EndpointCheck = {
  head: number;
  /** The time of one small call. */
  latencyMs: number;
  /** What the endpoint does not serve, in words. */
  refuses: string[];
};

export type ClientOptions = Omit<ReaderOptions, "stream" | "onHint" | "budget" | "pollMs"> & {
  timeoutMs: number;
  deadlineMs: number;
};

/** A contract as it is stored, with the ABI of the code behind it where it is a proxy. */
export type StoredContract = {
  chain: Chain;
  address: string;
  abi: StoredInterface | null;
  implementation_abi: StoredInterface | null;
  code: ContractCode | null;
  /** The token accounts of a holder that were found; null before. */
  token_accounts?: TokenAccount[] | null;
};

/**
 * An account that holds a token, on a chain where a holder may have several accounts of one token. The vaults of a program have the
 * address as their owner that the program derived.
 */
export type TokenAccount = {
  account: string;
  mint: string;
  owner?: string | undefined;
  /**
   * The height after which transactions of an account of a holder are counted; absent if it was found when the token was first
   * searched.
   */
  since?: number | undefined;
  /** The height at which an account of a holder was found, if it was found later than that. */
  found_height?: number | undefined;
};

export type OwnedTokenAccount = { account: string; mint: string; owner: string };

/** An account with everything that its transaction names, such as a program that may own it. */
export type PossibleVault = { account: string; mint: string; named: readonly string[] };

export type MonitoredContract = { subject: Subject; code: ContractCode | undefined };

/** The monitored contracts of a chain, by the addresses at which activity concerns them. */
export type MonitoredContracts<Contract extends MonitoredContract> = {
  /** The contracts that activity at an address concerns. */
  at(address: string): Iterable<Contract>;
  /** The proxies whose implementation a beacon names. */
  on(beacon: string): Iterable<Contract>;
  /** True if a target of the contract counts calls by other contracts. */
  needsTraces(contract: Contract): boolean;
};

/** A function or event that a rule names. */
export type NamedItem<Found> = {
  /** Decodes a call or event as this item; undefined when it is another one. */
  match(found: Found): ItemMatch | undefined;
  /** Returns the arguments of a decoded call or event that was stored, if it is this item. */
  matchStored(decoded: Pick<Decoded, "signature" | "args">): ItemMatch["scope"] | undefined;
};

export type ItemMatch = {
  decoded: Decoded;
  /** The names that an expression about the arguments may use. */
  scope: Record<string, unknown>;
};

/** The code of a proxy: its implementation, and the beacon that names it. Both are null for any other contract. */
export type ContractCode = { implementation: string | null; beacon: string | null };

/** Finds the code or the published interface by which the calls and events of a contract are decoded. */
export type CodeDiscovery = {
  /** The number of contracts to examine in one step. */
  batchSize: number;
  /** The events by which `findUpgrades` finds out that the code of a contract changed. */
  upgradeEvents(contract: MonitoredContract): EventFilter[];
  /** Examines contracts. Undefined stands for a contract that could not be read and should be tried again. */
  discover(
    contracts: readonly ExaminedContract[],
    read: ReadState,
    offload: Offload,
  ): Promise<(Discovery | undefined)[]>;
  /**
   * Finds accounts that hold tokens for a program, and returns those to follow for each of the contracts that monitor it. Undefined
   * stands for a program that could not be searched now. Absent where programs hold their tokens themselves.
   */
  findVaults?(
    contracts: readonly ExaminedContract[],
    read: ReadState,
  ): Promise<FoundTokenAccounts[] | undefined>;
  /** The accounts of some tokens in a block that may be vaults, because their owner has no key. Absent as `findVaults` is. */
  possibleVaultsIn?(block: Block, isMeasured: (mint: string) => boolean): Iterable<PossibleVault>;
  /**
   * Finds the accounts in which holders have their tokens. Each token is searched independently. Absent where holders have no
   * accounts.
   */
  findTokenAccounts?(holders: readonly TokenHolder[], read: ReadState): Promise<SearchedTokenAccounts[]>;
  /**
   * The accounts of which a block has a transaction, with their owners: one that was closed again is in no search. Absent where
   * holders have no accounts.
   */
  tokenAccountsIn?(block: Block): Iterable<OwnedTokenAccount>;
  /** The addresses at which a block deployed code that is to be examined. Absent where a contract has code from the beginning. */
  deployedIn?(block: Block): Iterable<string>;
  /** The contracts whose code a block changed. */
  findUpgrades<Contract extends MonitoredContract>(
    block: Block,
    monitored: MonitoredContracts<Contract>,
  ): Map<Contract, ContractCode>;
  /** Reads from beacons the implementations that they name; null remains where a beacon cannot be read. */
  resolveBeacons(codes: readonly ContractCode[], read: ReadState): Promise<ContractCode[]>;
};

export type ExaminedContract = {
  subject: Subject;
  /** The tokens of which all accounts of the contract are followed. */
  tokens: readonly string[];
};

/** An address and the tokens of which all of its accounts are followed. */
export type TokenHolder = {
  address: string;
  tokens: readonly string[];
  /** The accounts that are followed already. */
  known: readonly TokenAccount[];
};

/** The accounts of a holder that are to be followed, and the number of those that are too many. */
export type FoundTokenAccounts = { followed: TokenAccount[]; unfollowed: number };

/** What a search of a holder found, of the tokens that could be searched. */
export type SearchedTokenAccounts = FoundTokenAccounts & { searched: string[] };

/** Reads state at a fixed block. Returns an empty list when the chain cannot be read now. */
export type ReadState = (reads: Read[]) => Promise<ReadResult[]>;

export type Discovery = {
  code?: ContractCode;
  /** Present when the contract is a program, with the IDL that it publishes on chain, if any. */
  program?: { idl: Record<string, unknown> | undefined };
};
