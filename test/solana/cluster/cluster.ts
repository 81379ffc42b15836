import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";

/** An executed transaction, with the data that a node returns for it. */
export type ExecutedTransaction = {
  signature: string;
  accounts: string[];
  hasFailed: boolean;
  transaction: object;
  meta: object;
};

type Slot = { slot: number; time: number; ran: ExecutedTransaction[] };

const base58 = getBase58Decoder();
export const tokenPrograms = [
  "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
];

/**
 * A cluster that a test controls. Transactions are executed in LiteSVM and put into slots that the test produces,
 * skips and rolls back. A rollback removes slots but does not undo the effects of their transactions.
 */
export class Cluster {
  readonly svm = new LiteSVM().withTransactionHistory(0n);
  readonly payer: KeyPairSigner;
  private readonly slots = new Map<number, Slot>();
  head = 1000;
  finalized = 1000;
  private time: number;

  private constructor(payer: KeyPairSigner, time: number) {
    this.payer = payer;
    this.time = time;
    this.svm.airdrop(payer.address, lamports(1_000_000_000_000n));
    this.slots.set(this.head, { slot: this.head, time, ran: [] });
  }

  static async start(time = 1_700_000_000): Promise<Cluster> {
    return new Cluster(await generateKeyPairSigner(), time);
  }

  /** Executes a transaction that is not in a slot yet. Those of the tables that need not sign are in lookup tables. */
  async run(
    instructions: Instruction[],
    payer: KeyPairSigner = this.payer,
    tables: Parameters<typeof compressTransactionMessageUsingAddressLookupTables>[1] = {},
  ): Promise<ExecutedTransaction> {
    this.svm.expireBlockhash();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (emptyTransactionMessage) => setTransactionMessageFeePayerSigner(payer, emptyTransactionMessage),
      (one) => this.svm.setTransactionMessageLifetimeUsingLatestBlockhash(one),
      (one) => appendTransactionMessageInstructions(instructions, one),
      (one) => compressTransactionMessageUsingAddressLookupTables(one, tables),
    );
    const signed = await signTransactionMessageWithSigners(message);
    const compiled = getCompiledTransactionMessageDecoder().decode(
      signed.messageBytes,
    ) as unknown as Compiled;
    const loadedAddresses = loadedBy(compiled, tables);
    const { writable, readonly } = loadedAddresses;
    const accounts = [...compiled.staticAccounts, ...writable, ...readonly];
    const before = this.balancesOf(accounts);
    this.svm.warpToSlot(BigInt(this.head + 1));
    const result = this.svm.sendTransaction(signed);
    const after = this.balancesOf(accounts);
    const failed = result instanceof FailedTransactionMetadata;
    const ran = failed ? result.meta() : result;
    const signature = base58.decode(Object.values(signed.signatures)[0] as Uint8Array);
    return {
      signature,
      accounts,
      hasFailed: failed,
      transaction: {
        signatures: [signature],
        message: {
          accountKeys: compiled.staticAccounts,
          instructions: compiled.instructions.map((instruction) => ({
            programIdIndex: instruction.programAddressIndex,
            accounts: instruction.accountIndices ?? [],
            data: base58.decode(instruction.data ?? new Uint8Array()),
          })),
        },
      },
      meta: {
        err: failed ? errorIn(ran.logs()) : null,
        fee: 5000,
        preBalances: before.balances,
        postBalances: after.balances,
        preTokenBalances: before.tokens,
        postTokenBalances: after.tokens,
        innerInstructions: ran.innerInstructions().flatMap((group, index) =>
          group.length === 0
            ? []
            : [
                {
                  index,
                  instructions: group.map((innerInstruction) => ({
                    programIdIndex: innerInstruction.instruction().programIdIndex(),
                    accounts: [...innerInstruction.instruction().accounts()],
                    data: base58.decode(innerInstruction.instruction().data()),
                    stackHeight: innerInstruction.stackHeight(),
                  })),
                },
              ],
        ),
        logMessages: ran.logs(),
        loadedAddresses,
        computeUnitsConsumed: Number(ran.computeUnitsConsumed()),
      },
    };
  }

  /** Produces the next slot with executed transactions, after skipped slots. */
  produce(ran: ExecutedTransaction[] = [], { skipped = 0, seconds = 1 } = {}): number {
    this.head += 1 + skipped;
    this.time += seconds;
    this.slots.set(this.head, { slot: this.head, time: this.time, ran });
    return this.head;
  }

  /** Removes all slots after `to` that are not final, and returns their transactions. */
  rollBack(to: number): ExecutedTransaction[] {
    const removed = [...this.slots.values()].filter(({ slot }) => slot > Math.max(to, this.finalized));
    for (const { slot } of removed) this.slots.delete(slot);
    // Slot numbers and times of the abandoned branch are not reused.
    this.time += 1;
    return removed.flatMap(({ ran }) => ran);
  }

  /** The time of the newest slot. */
  get now(): number {
    return this.time;
  }

  finalize(upTo = this.head): void {
    this.finalized = Math.max(this.finalized, upTo);
  }

  at(slot: number): Slot | undefined {
    return this.slots.get(slot);
  }

  /** All slots, oldest first. */
  get all(): Slot[] {
    return [...this.slots.values()].sort((a, b) => a.slot - b.slot);
  }

  private balancesOf(accounts: string[]) {
    const balances: number[] = [];
    const tokens: object[] = [];
    for (const [accountIndex, address] of accounts.entries()) {
      balances.push(exactNumber(this.svm.getBalance(address as Address) ?? 0n));
      const token = this.tokenAccount(address);
      // Nodes do not scale the amounts of transactions.
      const { uiAmountString: _, ...uiTokenAmount } = token?.uiTokenAmount ?? {};
      if (token) tokens.push({ accountIndex, ...token, uiTokenAmount });
    }
    return { balances, tokens };
  }

  /** A token account as nodes return it; undefined if the address is not one. */
  tokenAccount(address: string) {
    const account = this.svm.getAccount(address as Address);
    if (!account.exists || !tokenPrograms.includes(account.programAddress)) return undefined;
    const data = Buffer.from(account.data);
    // Accounts of Token-2022 with extensions name their kind.
    if (data.length !== 165 && data[165] !== 2) return undefined;
    const mint = base58.decode(data.subarray(0, 32));
    const amount = data.readBigUInt64LE(64).toString();
    const uiTokenAmount = this.shown(mint, amount);
    const owner = base58.decode(data.subarray(32, 64));
    return { mint, owner, programId: account.programAddress as string, uiTokenAmount };
  }

  /** An amount of a token as nodes return it, with the factor of a mint that scales its amounts. */
  private shown(mint: string, amount: string) {
    const decimals = this.mint(mint)?.decimals ?? 0;
    const { data } = this.svm.getAccount(mint as Address) as { data?: Uint8Array };
    const factor = data ? scaleOf(Buffer.from(data)) : undefined;
    if (factor === undefined) return { amount, decimals, uiAmountString: undefined };
    return { amount, decimals, uiAmountString: ((Number(amount) * factor) / 10 ** decimals).toString() };
  }

  mint(address: string): { amount: string; decimals: number } | undefined {
    const account = this.svm.getAccount(address as Address);
    if (!account.exists) return undefined;
    const data = Buffer.from(account.data);
    if (data.length !== 82 && data[165] !== 1) return undefined;
    return { amount: data.readBigUInt64LE(36).toString(), decimals: data[44] ?? 0 };
  }
}

type Compiled = {
  staticAccounts: string[];
  addressTableLookups?: {
    lookupTableAddress: string;
    writableIndexes: readonly number[];
    readonlyIndexes: readonly number[];
  }[];
  instructions: { programAddressIndex: number; accountIndices?: number[]; data?: Uint8Array }[];
};

/** The addresses that a message loads from lookup tables. */
function loadedBy({ addressTableLookups = [] }: Compiled, tables: Record<string, readonly string[]>) {
  const loaded = (kind: "writableIndexes" | "readonlyIndexes") =>
    addressTableLookups.flatMap(({ lookupTableAddress, [kind]: indexes }) =>
      indexes.map((at) => tables[lookupTableAddress]?.[at] ?? ""),
    );
  return { writable: loaded("writableIndexes"), readonly: loaded("readonlyIndexes") };
}

export const writable = (address: string) => ({ address: address as Address, role: AccountRole.WRITABLE });
export const readonly = (address: string) => ({ address: address as Address, role: AccountRole.READONLY });
export const signing = (signer: KeyPairSigner) => ({
  address: signer.address,
  role: AccountRole.WRITABLE_SIGNER,
  signer,
});

/** The error of a failed transaction as nodes return it, from what the programs logged. */
function errorIn(logs: string[]): object {
  const code = /custom program error: 0x([0-9a-f]+)/.exec(logs.join("\n"))?.[1];
  return { InstructionError: [0, code ? { Custom: Number.parseInt(code, 16) } : "ProgramFailedToComplete"] };
}

/** A number that is written to JSON with all its digits. */
export function exactNumber(value: bigint): number {
  const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };
  return value > Number.MAX_SAFE_INTEGER ? rawJSON(String(value)) : Number(value);
}

/** The same transaction under another signature. */
export function renamed(ran: ExecutedTransaction, at: number): ExecutedTransaction {
  const signature = `${ran.signature.slice(0, -6)}${String(at + 111_111).replaceAll("0", "z")}`;
  return { ...ran, signature, transaction: { ...ran.transaction, signatures: [signature] } };
}

/** The factor of a mint whose only extension scales its amounts. */
function scaleOf(mint: Buffer): number | undefined {
  const [kindAt, scaledAmount, factorAt] = [166, 25, 4 + 32 + 16];
  if (mint.length < kindAt + 60 || mint.readUInt16LE(kindAt) !== scaledAmount) return undefined;
  return mint.readDoubleLE(kindAt + factorAt);
}
