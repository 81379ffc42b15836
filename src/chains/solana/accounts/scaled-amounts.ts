import { z } from "zod";
import type { ReadResult } from "../../block.ts";
import type { RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import { packAmount } from "./account-state.ts";
import { problemOf } from "./fetch-accounts.ts";
import { sendIndependently } from "./send-independently.ts";
import { shownAmount } from "./shown-amount.ts";

/** A token amount as nodes return it. */
export const amountShape = z.object({
  amount: z.string().regex(/^\d{1,39}$/),
  decimals: z.int().min(0).max(255),
  uiAmountString: z.string().nullish(),
});
const replyShape = z.object({ value: amountShape });

/** Reads the supply of a mint that scales its amounts, as it is shown. Only nodes compute the factor at their time. */
export async function readScaledSupply(
  rpc: Rpc,
  mint: string,
  prefer: number | undefined,
): Promise<ReadResult> {
  const call = { method: "getTokenSupply", params: [mint, { commitment: "confirmed" }] };
  const reply = (await sendIndependently(rpc, [call], prefer))[0] as RpcReply;
  const parsed = "result" in reply ? replyShape.safeParse(reply.result) : undefined;
  if (!parsed?.success) return { ok: false, code: "unavailable", problem: problemOf(reply) };
  const { value } = parsed.data;
  return { ok: true, data: packAmount({ amount: shownAmount(value), decimals: value.decimals }) };
}

/** Reads what token accounts of a mint that scales its amounts hold together, as it is shown. */
export async function readScaledBalance(
  rpc: Rpc,
  accounts: readonly string[],
  decimals: number,
  prefer: number | undefined,
): Promise<ReadResult> {
  const calls = accounts.map((account) => ({
    method: "getTokenAccountBalance",
    params: [account, { commitment: "confirmed" }],
  }));
  const replies = calls.length > 0 ? await sendIndependently(rpc, calls, prefer) : [];
  let amount = 0n;
  for (const reply of replies as RpcReply[]) {
    const parsed = "result" in reply ? replyShape.safeParse(reply.result) : undefined;
    if (!parsed?.success) return { ok: false, code: "unavailable", problem: problemOf(reply) };
    amount += shownAmount(parsed.data.value);
  }
  return { ok: true, data: packAmount({ amount, decimals }) };
}
