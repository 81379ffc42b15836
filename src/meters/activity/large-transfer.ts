import { z } from "zod";
import type { Call, Emitted, Subject } from "../../chains/activity.ts";
import { parseSolanaAddress, tokenAccountsOf } from "../../chains/solana/accounts/address.ts";
import { addressFamilyProblem, anyAddressText, decimalsNumber } from "../config-fields.ts";
import { callReading, eventReading } from "../evidence.ts";
import { defineMeter, type Reading } from "../meter.ts";
import { solanaTransfers } from "../solana/solana-transfers.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { toUnits } from "../units.ts";

const shape = z
  .strictObject({
    token: anyAddressText.optional().describe("The token; the contract itself unless said"),
    native: z.boolean().default(false).describe("The chain's own currency instead of a token"),
    direction: z.enum(["in", "out", "any"]).default("any").describe("Which way, as the contract sees it"),
    min_amount: z.number().min(0).max(1e60).default(0).describe("Smaller transfers are left out"),
    decimals: decimalsNumber.optional().describe("The token's decimals; on Solana transactions say them"),
  })
  .superRefine(({ token, native, decimals }, context) => {
    if (native && token) {
      context.addIssue({ code: "custom", path: ["token"], message: "Leave token out when native is true." });
    }
    // Logs do not say them, and a wrong guess would hide every transfer.
    if (!native && decimals === undefined && !parseSolanaAddress(token ?? "")) {
      context.addIssue({
        code: "custom",
        path: ["decimals"],
        message: "Say how many decimals the token has.",
      });
    }
  });

/** The size of transfers of a token or of the chain's currency. */
export const largeTransfer = defineMeter({
  type: "large_transfer",
  title: "Transfers",
  about:
    "The size of transfers into and out of the contract; where the contract is the token itself, of all its transfers. Of an EVM chain's own currency, only what transactions carry is seen. On Solana it is what a transaction moved in all, and transfers that do not name the token are seen only at their holder.",
  unit: "units",
  families: ["evm", "solana"],
  instances: "many",
  config: shape,
  needs: ["transactions", "receipts", "logs"],
  aggregation: "max",

  configProblem({ token }, kind) {
    return addressFamilyProblem(kind, [token]);
  },

  relatedAddresses({ token, native }, { chain, address }) {
    if (chain.kind === "solana")
      return token && !native && token !== address ? tokenAccountsOf(address, token) : [];
    return token && !native && token !== address ? [token] : [];
  },

  measure(config, activity, subject) {
    const { calls, events } = activity;
    if (subject.chain.kind === "solana") return solanaTransfers(config, activity, subject);
    const transfers = config.native
      ? nativeTransfers(calls, subject)
      : tokenTransfers(events, config, subject);
    const decimals = config.native ? subject.chain.native_currency.decimals : (config.decimals ?? 0);
    return transfers
      .map(({ amount, ...transfer }) => ({ ...transfer, amount, size: toUnits(amount, decimals) }))
      .filter(({ size }) => Number.isFinite(size) && size >= config.min_amount)
      .filter(({ direction }) => config.direction === "any" || direction === config.direction)
      .map(({ size, direction, amount, toReading }) => toReading(size, { direction, amount }));
  },
});

/** `within` is a transfer that neither enters nor leaves: between holders of the token that the contract is. */
type Transfer = {
  amount: bigint;
  direction: "in" | "out" | "within";
  toReading: (size: number, extra: Record<string, unknown>) => Reading;
};

/** A failed transaction moves nothing. */
function nativeTransfers(calls: readonly Call[], { address }: Subject): Transfer[] {
  return calls
    .filter(({ from, to, value, receipt }) => value > 0n && receipt?.is_success && from !== to)
    .map((call) => ({
      amount: call.value,
      direction: call.to === address ? "in" : "out",
      toReading: (size, extra) => callReading(call, size, extra),
    }));
}

const transferEvents = standardEvents(["Transfer(address from, address to, uint256 value)"]);

function tokenTransfers(
  events: readonly Emitted[],
  { token }: z.output<typeof shape>,
  { address }: Subject,
): Transfer[] {
  const emitter = token ?? address;
  return selectEvents(events, emitter, transferEvents).flatMap((event): Transfer[] => {
    const { $0: from, $1: to, $2: amount } = event.decoded?.args ?? {};
    // With four topics it is a single item that moved, and the number is its id.
    if (typeof amount !== "bigint" || event.topics.length === 4) return [];
    const direction = to === address ? "in" : from === address ? "out" : "within";
    if (direction === "within" && emitter !== address) return [];
    const toReading: Transfer["toReading"] = (size, extra) =>
      eventReading(event, size, { token: emitter, from, to, ...extra });
    return [{ amount, direction, toReading }];
  });
}
