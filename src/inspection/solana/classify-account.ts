import { systemProgram } from "../../chains/solana/accounts/nonce-account.ts";
import type { AccountFacts } from "./account-facts.ts";

/** What a Solana address is. */
export type AccountKind =
  | "program"
  | "mint"
  | "token_account"
  | "oracle_feed"
  | "multisig"
  | "nonce"
  | "wallet"
  | "other";

export function kindOf({
  program,
  mint,
  holding,
  oracle,
  multisig,
  nonceAuthority,
}: AccountFacts): AccountKind {
  if (program.executable) return "program";
  if (mint) return "mint";
  if (holding) return "token_account";
  if (oracle) return "oracle_feed";
  if (multisig) return "multisig";
  if (nonceAuthority) return "nonce";
  return program.loader === systemProgram ? "wallet" : "other";
}

const classes = {
  program: { contract_type: "program", category: "other", reason: "The account is executable." },
  mint: { contract_type: "unknown", category: "token", reason: "The account is a token mint." },
  token_account: { contract_type: "unknown", category: "other", reason: "The account is a token account." },
  oracle_feed: {
    contract_type: "oracle_feed",
    category: "oracle",
    reason: "The account is a price feed of Pyth or of Switchboard On-Demand.",
  },
  multisig: { contract_type: "unknown", category: "safe", reason: "The account is a multisig of Squads." },
  nonce: { contract_type: "unknown", category: "other", reason: "The account is a durable nonce." },
  wallet: {
    contract_type: "wallet",
    category: "wallet",
    reason: "The account belongs to the system program: it is a wallet, or a vault of a program.",
  },
  other: { contract_type: "unknown", category: "other", reason: "The account is not executable." },
} as const;

/** Classifies the account, with the reason. */
export function classifyAccount(facts: AccountFacts) {
  const classified = classes[kindOf(facts)];
  return facts.program.exists
    ? classified
    : { ...classified, reason: "There is no account at this address." };
}
