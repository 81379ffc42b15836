import type { Activity, Call } from "../../chains/activity.ts";
import { loaderV4, programDataOf, upgradeableLoader } from "../../chains/solana/accounts/program-account.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";

/** A successful loader instruction: an upgrade, a close, an extension of the account, or a change of the upgrade authority. */
export type LoaderAction = {
  call: Call;
  position: number;
  action: /** The authority signs; the fee may be paid by someone else. The buffer holds the new code. */
    | { kind: "upgrade"; authority?: string | undefined; buffer?: string | undefined }
    | { kind: "close" }
    /** Makes room for more code. Everyone may do it, and it changes the slot of the account but not the code. */
    | { kind: "extend" }
    | { kind: "authority"; before: string | null; authority: string | null };
};

/** Returns the loader actions of a block on a program, in order. */
export function loaderActions({ calls, nearby = [] }: Activity, program: string): LoaderAction[] {
  const data = programDataOf(program);
  return [...calls, ...nearby]
    .sort((a, b) => a.tx_index - b.tx_index)
    .flatMap((call) => {
      if (!call.solana?.is_success) return [];
      return call.solana.instructions.flatMap((instruction) => {
        const action = actionOf(instruction, program, data);
        return action ? [{ call, position: instruction.position, action }] : [];
      });
    });
}

/** The loaders identify their instructions by a four-byte number. */
function actionOf(
  { program, accounts, data }: SolanaInstruction,
  monitoredProgram: string,
  programData: string,
): LoaderAction["action"] | undefined {
  if (data.length < 4) return undefined;
  const number = data.readUInt32LE();
  if (program === loaderV4)
    return accounts[0] === monitoredProgram ? actionOfV4(number, accounts) : undefined;
  if (program !== upgradeableLoader) return undefined;
  // A program may be monitored before its first deployment.
  if (number === 2 && accounts[2] === monitoredProgram)
    return { kind: "upgrade", authority: accounts[7], buffer: accounts[3] };
  if (number === 3 && accounts[1] === monitoredProgram)
    return { kind: "upgrade", authority: accounts[6], buffer: accounts[2] };
  // A migration deploys the code again, under the loader v4.
  if (number === 8 && accounts[1] === monitoredProgram) return { kind: "upgrade", authority: accounts[2] };
  if (accounts[0] !== programData) return undefined;
  if (number === 4 || number === 7) return authorityIn(accounts);
  if (number === 6 || number === 9) return { kind: "extend" };
  return number === 5 ? { kind: "close" } : undefined;
}

/** Deploy, Retract, TransferAuthority and Finalize, which leaves nobody to upgrade the program. */
function actionOfV4(number: number, accounts: readonly string[]): LoaderAction["action"] | undefined {
  if (number === 3) return { kind: "upgrade", authority: accounts[1], buffer: accounts[2] };
  if (number === 4) return { kind: "close" };
  if (number === 5) return authorityIn(accounts);
  return number === 6 ? { ...authorityIn(accounts), authority: null } : undefined;
}

/** After the account of the code comes its authority, and then the new one. */
function authorityIn(accounts: readonly string[]) {
  const [, before, authority] = accounts;
  return { kind: "authority" as const, before: before ?? null, authority: authority ?? null };
}
