import type { Clock } from "../../../lib/clock.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { ListedSignature } from "./listed-signature.ts";
import type { SignatureListing } from "./listing.ts";
import type { MintScales } from "./mint-scales.ts";
import type { Slots } from "./slots.ts";
import type { TransactionCache } from "./transaction-cache.ts";

/** The parts of a reader that its history is made of. */
export type History = {
  rpc: Rpc;
  clock: Clock;
  listing: SignatureListing;
  transactions: TransactionCache;
  slots: Slots;
  scales: MintScales;
  /** The endpoint to try first. */
  prefer(): number;
  /** The number of transactions for which the budget of the day has calls left. */
  maxFetched(): number;
};

/** The listed transactions of a range of slots that can be fetched. */
export function readableBetween(
  { listing, transactions }: History,
  after: number,
  to: number,
): ListedSignature[] {
  // An address may list the transaction of another one in a wrong slot.
  return listing.between(after, to, (listedSignature) => !transactions.isWithheld(listedSignature));
}
