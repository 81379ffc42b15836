import type { Read } from "../../block.ts";
import { maxSharedBytes } from "./fetch-accounts.ts";

/** Returns true for a read that does not share its call with others: a listing of token accounts, or a large account. */
export function needsOwnCall(read: Read): boolean {
  if (read.kind === "token_balance" || read.kind === "token_accounts") return true;
  return read.kind === "account" && read.length > maxSharedBytes;
}
