import type { EngineState } from "../../watch/engine-state.ts";
import { followedTokensOf } from "../../watch/followed-tokens.ts";
import type { WatchedContract } from "../../watch/watch-list.ts";

/** A contract with the tokens of which its accounts are searched. */
export type Holder = Pick<WatchedContract, "id" | "org_id" | "subject"> & {
  contract: WatchedContract;
  tokens: string[];
};

export function toHolder(contract: WatchedContract): Holder {
  const { id, org_id, subject } = contract;
  return { id, org_id, subject, contract, tokens: followedTokensOf(contract) };
}

/** The contracts that monitor an address. */
export function contractsOf({ watchList }: EngineState, address: string): WatchedContract[] {
  return [...watchList.at(address)].filter(({ subject }) => subject.address === address);
}

/** Whether an account of a token was found before. */
export function isKnown({ subject: { tokenAccounts = [] } }: Holder, mint: string): boolean {
  return tokenAccounts.some((one) => one.mint === mint);
}

/** Identifies a token or an account of a contract. */
export function keyOf({ id }: Pick<WatchedContract, "id">, mintOrAccount: string): string {
  return `${id} ${mintOrAccount}`;
}
