import { isDerivedAddress, token2022Program, tokenProgram } from "../accounts/address.ts";
import type { SolanaInstruction, SolanaTransaction } from "../transactions/transaction.ts";

/** The programs that may have derived each address that signed without a key. */
export type PossibleDerivers = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds who may have derived the addresses that signed for token accounts. Only the program that derives an address can sign for
 * it, and its signature is passed on to the programs that it calls. Thus it is one of the programs that were running, in every
 * transaction: a program that was called directly is the only one, and a router is not in the transactions that avoid it.
 */
export function possibleDeriversOf(signatures: readonly DerivedSignature[]): PossibleDerivers {
  const derivers = new Map<string, ReadonlySet<string>>();
  for (const { signer, running } of signatures) {
    const candidates = derivers.get(signer);
    derivers.set(
      signer,
      candidates ? new Set([...candidates].filter((program) => running.has(program))) : running,
    );
  }
  return derivers;
}

/** An address without a key that signed for a token account, and the programs that were running. */
export type DerivedSignature = { signer: string; running: ReadonlySet<string> };

export function derivedSignaturesIn({ instructions }: SolanaTransaction): DerivedSignature[] {
  /** The programs that run at each depth. */
  const running: string[] = [];
  return instructions.flatMap((instruction) => {
    const { program, depth, caller } = instruction;
    running.length = depth - 1;
    running.push(program);
    const signer = authorityIn(instruction);
    // Some nodes do not report how deep an instruction is.
    if (!signer || caller === null || !isDerivedAddress(signer)) return [];
    return [{ signer, running: new Set(running.slice(0, -1)) }];
  });
}

/** The position of the account that must sign, by the first byte of the instructions that take from a token account. */
const authorityAt = new Map([
  [3, 2], // Transfer
  [4, 2], // Approve
  [6, 1], // SetAuthority
  [8, 2], // Burn
  [9, 2], // CloseAccount
  [12, 3], // TransferChecked
  [13, 3], // ApproveChecked
  [15, 2], // BurnChecked
]);
const transferFeeExtension = 26;
const transferCheckedWithFee = 1;

function authorityIn({ program, data, accounts }: SolanaInstruction): string | undefined {
  if (program !== tokenProgram && program !== token2022Program) return undefined;
  const [tag = -1, kind] = data;
  if (tag === transferFeeExtension) return kind === transferCheckedWithFee ? accounts[3] : undefined;
  return accounts[authorityAt.get(tag) ?? accounts.length];
}
