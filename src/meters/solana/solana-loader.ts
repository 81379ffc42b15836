import type { Activity, Call } from "../../chains/activity.ts";
import { programDataOf, upgradeableLoader } from "../../chains/solana/accounts/program-account.ts";
import type { SolanaInstruction } from "../../chains/solana/transactions/transaction.ts";

/** What a successful transaction did to a program: gave it other code, closed it, or gave the right to do so to another. */
export type LoaderStep = {
  call: Call;
  position: number;
  does: { kind: "upgrade" } | { kind: "close" } | { kind: "authority"; authority: string | null };
};

/** The steps that a block held for a program, in their order. */
export function loaderSteps({ calls, nearby = [] }: Activity, program: string): LoaderStep[] {
  const data = programDataOf(program);
  return [...calls, ...nearby]
    .sort((a, b) => a.tx_index - b.tx_index)
    .flatMap((call) => {
      if (!call.solana?.is_success) return [];
      return call.solana.instructions.flatMap((one) => {
        const does = stepOf(one, program, data);
        return does ? [{ call, position: one.position, does }] : [];
      });
    });
}

/** The upgradeable loader numbers its instructions in four bytes. */
function stepOf(
  { program, accounts, data }: SolanaInstruction,
  watched: string,
  programData: string,
): LoaderStep["does"] | undefined {
  if (program !== upgradeableLoader || data.length < 4) return undefined;
  const number = data.readUInt32LE();
  if (number === 3 && accounts[1] === watched) return { kind: "upgrade" };
  if (accounts[0] !== programData) return undefined;
  if (number === 4 || number === 7) return { kind: "authority", authority: accounts[2] ?? null };
  return number === 5 ? { kind: "close" } : undefined;
}
