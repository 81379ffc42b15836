import { z } from "zod";
import type { Call, Emitted, Subject } from "../../chains/activity.ts";
import { parseSolanaAddress, tokenAccountsOf } from "../../chains/solana/accounts/address.ts";
import { addressFamilyProblem, anyAddressText, decimalsNumber } from "../config-fields.ts";
import { callReading, eventReading } from "../evidence.ts";
import { isOfOneReading, reducedName, spanText } from "../measured-text.ts";
import { defineMeter, type Reading } from "../meter.ts";
import { solanaTransfers } from "../solana/solana-transfers.ts";
import { selectEvents, standardEvents } from "../standard-events.ts";
import { toUnits } from "../units.ts";
import { numberText, senderText } from "../words.ts";

const shape = z
  .strictObject({
    token: anyAddressText.optional().describe("The token address; defaults to the monitored contract"),
    native: z.boolean().default(false).describe("Measure the native currency instead of a token"),
    direction: z
      .enum(["in", "out", "any"])
      .default("any")
      .describe("The direction of the transfers, as seen from the contract"),
    min_amount: z.number().min(0).max(1e60).default(0).describe("Transfers below this amount are ignored"),
    decimals: decimalsNumber
      .optional()
      .describe("The decimals of the token; on Solana they are read from the transaction"),
  })
  .superRefine(({ token, native, decimals }, context) => {
    if (native && token) {
      context.addIssue({
        code: "custom",
        path: ["token"],
        message: "token and native cannot be combined; omit token when native is true.",
      });
    }
    // Logs do not contain the decimals, and a wrong guess would hide every transfer.
    if (!native && decimals === undefined && !parseSolanaAddress(token ?? "")) {
      context.addIssue({
        code: "custom",
        path: ["decimals"],
        message: "decimals is required for a token on an EVM chain; on Solana, name the mint in token.",
      });
    }
  });

/** Measures transfers of a token or of the native currency. */
export const largeTransfer = defineMeter({
  type: "large_transfer",
  title: "Transfers",
  example: { native: true, min_amount: 100 },
  about:
    "The amount of each transfer into or out of the contract, in token units. If the contract is the token, all of its transfers are measured. For the native currency of EVM chains, only the value of transactions is measured, not internal transfers. On Solana, the reading is the net amount that a transaction moved. If a token scales its amounts or bears interest, it is the amount shown at that time; the explanation has the stored amount too. Transfers that do not name the mint are measured only for the holder. Confidential transfers, whose amount is encrypted, are reported in the status of the target and by a system alert. Besides the associated token account, the holder can have others: they are searched at every poll, the 20 with the highest balances are followed, and the status of the contract says how many are not. Transfers into a new account are reported some seconds late, with their own slot and time. For a program, the same vaults are followed as for token_balance.",
  unit: "units",
  unitOf: ({ native }, { chain }) => (native ? chain.native_currency.symbol : "tokens"),
  isOccurrence: true,
  families: ["evm", "solana"],
  instances: "many",
  config: shape,
  needs: ["logs", "transactions", "receipts"],
  // On Solana, transfers are read from the transactions, whatever the plan.
  needsOf: ({ native }) => (native ? ["transactions", "receipts"] : ["logs"]),
  events: ({ token }, { address }) => [{ address: token ?? address, topics: transferEvents.topics() }],
  declaredEvents: ({ native }) => (native ? undefined : transferEvents.all()),
  aggregation: "max",

  configProblem({ token }, kind) {
    return addressFamilyProblem(kind, [token]);
  },

  relatedAddresses({ token, native }, { chain, address, tokenAccounts = [] }) {
    if (!token || native || token === address) return [];
    if (chain.kind !== "solana") return [token];
    const found = tokenAccounts.filter(({ mint }) => mint === token).map(({ account }) => account);
    const associated = tokenAccountsOf(address, token);
    // A token belongs to one token program, which the search finds out.
    return associated.some((account) => found.includes(account)) ? found : [...associated, ...found];
  },

  followedTokens({ token, native }, { address }) {
    return token && !native && token !== address ? [token] : [];
  },

  hidesAmount: ({ token, native }, { solana }, { address, tokenAccounts = [] }) => {
    if (native) return false;
    const ownAccounts = [address, ...tokenAccounts.map(({ account }) => account)];
    const mint = token ?? address;
    return (solana?.confidential ?? []).some(
      (moved) =>
        moved.mint === mint &&
        (mint === address || ownAccounts.some((account) => moved.parties.includes(account))),
    );
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

  describe({ token, native }, occasion, { chain, address }) {
    const { reading, value, aggregation, words } = occasion;
    const { direction, from, to } = reading?.evidence ?? {};
    const currency = native ? chain.native_currency.symbol : "tokens";
    const which = !native && token && token !== address ? ` (${words.address(token)})` : "";
    const { stored, scale } = reading?.evidence ?? {};
    const isScaled = typeof stored === "number" && typeof scale === "number" && isOfOneReading(occasion);
    const storedText = isScaled ? ` (stored as ${numberText(stored)}, times ${numberText(scale)})` : "";
    const amount = `${numberText(value)} ${currency}${which}${storedText}`;
    if (!isOfOneReading(occasion)) {
      if (aggregation === "count") return `${numberText(value)} transfers ${spanText(occasion)}`;
      const name = reducedName(aggregation);
      return `${name ? `${name} of ` : ""}${amount} transferred ${spanText(occasion)}`;
    }
    if (direction === "in") return `received ${amount} from ${words.address(from)}`;
    if (direction === "out") return `sent ${amount} to ${words.address(to)}${senderText(reading, words)}`;
    return from && to
      ? `${amount} transferred from ${words.address(from)} to ${words.address(to)}`
      : `${amount} transferred${senderText(reading, words)}`;
  },
});

/** `within` is a transfer between holders of the token, where the contract is the token. */
type Transfer = {
  amount: bigint;
  direction: "in" | "out" | "within";
  toReading: (size: number, extra: Record<string, unknown>) => Reading;
};

/** Failed transactions transfer nothing and are skipped. */
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
    // Four topics mean an ERC-721 transfer: the third argument is the token id, not an amount.
    if (typeof amount !== "bigint" || event.topics.length === 4) return [];
    const direction = to === address ? "in" : from === address ? "out" : "within";
    if (direction === "within" && emitter !== address) return [];
    const toReading: Transfer["toReading"] = (size, extra) =>
      eventReading(event, size, { token: emitter, from, to, ...extra });
    return [{ amount, direction, toReading }];
  });
}
