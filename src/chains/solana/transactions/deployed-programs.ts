import type { Block } from "../../block.ts";
import { loaderV4, upgradeableLoader } from "../accounts/program-account.ts";
import type { SolanaInstruction } from "./transaction.ts";

/** Returns the programs whose code a block deployed or replaced. */
export function deployedProgramsIn({ transactions }: Block): string[] {
  return transactions.flatMap(({ solana }) =>
    solana?.is_success ? solana.instructions.flatMap((instruction) => programOf(instruction) ?? []) : [],
  );
}

/** The instructions that deploy code, by loader and number, with the position of the program among the accounts. */
const deployments: ReadonlyMap<string, number> = new Map([
  // DeployWithMaxDataLen and Upgrade.
  [`${upgradeableLoader} 2`, 2],
  [`${upgradeableLoader} 3`, 1],
  [`${loaderV4} 3`, 0],
]);

function programOf({ program, accounts, data }: SolanaInstruction): string | undefined {
  if (data.length < 4) return undefined;
  const position = deployments.get(`${program} ${data.readUInt32LE()}`);
  return position === undefined ? undefined : accounts[position];
}
