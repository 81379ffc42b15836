import type { ReadResult } from "../../block.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { bytesOfAddress } from "../accounts/address.ts";
import { orUnavailable, unavailable } from "../accounts/unavailable.ts";
import { fetchRecentTransactions } from "./recent-transactions.ts";

/** The transactions that are searched: the newest, of which each takes a call. */
const searched = 20;

/** Finds the accounts that the newest transactions of an address gave to a program, packed as bytes. */
export async function readCalledAccounts(
  rpc: Rpc,
  { address, program }: { address: string; program: string },
  prefer: number | undefined,
): Promise<ReadResult> {
  return orUnavailable(async () => {
    const transactions = await fetchRecentTransactions(rpc, address, { limit: searched, prefer });
    if (!transactions) return unavailable("a node returned an invalid list of signatures");
    const called = transactions.flatMap(({ instructions }) =>
      instructions
        .filter((instruction) => instruction.program === program)
        .flatMap(({ accounts }) => accounts),
    );
    const bytes = Buffer.concat([...new Set(called)].map(bytesOfAddress));
    return { ok: true, data: `0x${bytes.toString("hex")}` };
  });
}
