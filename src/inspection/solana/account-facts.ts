import type { MintExtensions } from "../../chains/solana/accounts/mint-extensions.ts";
import type { AccountPrice } from "../../chains/solana/accounts/price-feeds.ts";
import type { ProgramAccount } from "../../chains/solana/accounts/program-account.ts";
import type { OwnedAccount } from "../../chains/solana/accounts/token-accounts.ts";
import type { MintAuthorities, TokenHolding } from "../../chains/solana/accounts/token-data.ts";
import type { IdlSource } from "../../chains/solana/idl/on-chain-idl.ts";
import type { SquadsMultisig } from "../../chains/solana/multisigs/squads-version.ts";
import type { Vault } from "../../chains/solana/vaults/vault.ts";
import type { Authority } from "./authorities.ts";

export type Mint = {
  supply: bigint;
  decimals: number;
  authorities: MintAuthorities;
  extensions: MintExtensions;
};

/** The facts of a Solana address: a program, a token mint, a token account, a wallet or another account. */
export type AccountFacts = {
  address: string;
  program: ProgramAccount;
  lamports: bigint;
  mint: Mint | undefined;
  /** The oracle of which the account is a price feed. */
  oracle: AccountPrice["oracle"] | undefined;
  /** The multisig of Squads that the account is. */
  multisig: SquadsMultisig | undefined;
  /** Who can use the durable nonce that the account is. */
  nonceAuthority: string | undefined;
  /** What the account is if it is a token account. */
  holding: TokenHolding | undefined;
  /** The decimals of the token that a token account holds; undefined if they could not be read. */
  holdingDecimals: number | undefined;
  /** The token accounts of which the address is the owner; empty if they are unknown. */
  owned: OwnedAccount[];
  /** The token accounts that a program controls, as far as its newest transactions show them. */
  vaults: Vault[];
  /** False if the node could not list the token accounts or search the vaults. */
  areHoldingsKnown: boolean;
  /** Who is behind each authority of the program, mint or token account. */
  authorities: ReadonlyMap<string, Authority>;
  /** The IDL on chain, if it is valid. */
  idl: Record<string, unknown> | undefined;
  /** The places that were searched for an IDL; empty if the account is not a program. */
  sources: IdlSource[];
};
