import { z } from "zod";
import type { ReadResult } from "../../block.ts";
import { ChainError } from "../../reader.ts";
import { RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { bytesOfAddress } from "../accounts/address.ts";
import { fetchTransactions } from "./fetch-transactions.ts";

/** The transactions that are searched: the newest, of which each takes a call. */
const searched = 20;

const page = z.array(
  z.object({ signature: z.string(), slot: z.int().nonnegative(), err: z.unknown().optional() }),
);

/** Finds the accounts that the newest transactions of an address gave to a program, packed as bytes. */
export async function readCalledAccounts(
  rpc: Rpc,
  { address, program }: { address: string; program: string },
  prefer: number | undefined,
): Promise<ReadResult> {
  try {
    const params = [address, { limit: searched, commitment: "confirmed" }];
    const listed = page.safeParse(await rpc.request("getSignaturesForAddress", params, { prefer }));
    if (!listed.success) return unavailable("a node returned an invalid list of signatures");
    const wanted = listed.data
      .filter(({ err }) => err === null || err === undefined)
      .map(({ signature, slot }) => ({ signature, slot, hasFailed: false, address, index: null, rank: 0 }));
    const found = await fetchTransactions(rpc, wanted, { prefer, requiresSome: false });
    const called = [...found.values()].flatMap(({ transaction }) =>
      transaction.instructions.filter((one) => one.program === program).flatMap(({ accounts }) => accounts),
    );
    const bytes = Buffer.concat([...new Set(called)].map(bytesOfAddress));
    return { ok: true, data: `0x${bytes.toString("hex")}` };
  } catch (error) {
    if (error instanceof RpcError) return unavailable(`the node returned error ${error.code}`);
    if (error instanceof ChainError) return unavailable("no node lists the transactions of the address");
    throw error;
  }
}

function unavailable(problem: string): ReadResult {
  return { ok: false, code: "unavailable", problem };
}
