import { z } from "zod";
import { lamports } from "../accounts/lamports.ts";

const index = z.int().min(0).max(100_000);
const instruction = z.object({
  programIdIndex: index,
  accounts: z.array(index),
  /** In base58 from nodes, as bytes from a stream. */
  data: z.union([z.string(), z.instanceof(Uint8Array)]),
  stackHeight: z.int().nullish(),
});
const tokenBalance = z.object({
  accountIndex: index,
  mint: z.string(),
  owner: z.string().nullish(),
  programId: z.string().nullish(),
  uiTokenAmount: z.object({
    amount: z.string().regex(/^\d{1,39}$/),
    decimals: z.int().min(0).max(255),
  }),
});

/** A transaction in the encoding `json` of nodes, or from a stream. */
export const rawTransaction = z.object({
  slot: z.int().nonnegative(),
  blockTime: z.int().nullish(),
  transactionIndex: z.int().nullish(),
  transaction: z.object({
    signatures: z.array(z.string()).min(1),
    message: z.object({ accountKeys: z.array(z.string()).min(1), instructions: z.array(instruction) }),
  }),
  meta: z.object({
    err: z.unknown().optional(),
    fee: lamports,
    preBalances: z.array(lamports),
    postBalances: z.array(lamports),
    preTokenBalances: z.array(tokenBalance).nullish(),
    postTokenBalances: z.array(tokenBalance).nullish(),
    innerInstructions: z.array(z.object({ index, instructions: z.array(instruction) })).nullish(),
    logMessages: z.array(z.string()).nullish(),
    loadedAddresses: z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) }).nullish(),
    computeUnitsConsumed: lamports.nullish(),
  }),
});

export type RawTransaction = z.output<typeof rawTransaction>;
export type RawTokenBalance = z.output<typeof tokenBalance>;
