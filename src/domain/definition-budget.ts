import { AppError } from "../errors/app-error.ts";
import { findOversized, maxDefinitionBytes } from "../store/engine/definition-sizes.ts";
import type { Db } from "../store/open-store.ts";

/**
 * Rejects a transaction that adds more targets and rules to a contract than the engine reads at once: it loads those of all orgs of
 * a chain, and a contract that takes too long to load would stop the chain for all.
 */
export async function requireDefinitionBudget(tx: Db): Promise<void> {
  const contract = await findOversized(tx, maxDefinitionBytes);
  if (!contract) return;
  const megabytes = maxDefinitionBytes / (1024 * 1024);
  throw new AppError(
    "quota_exceeded",
    `The configs of the targets and the conditions of the rules of ${contract.label ?? contract.address} would have more than ` +
      `${megabytes} MB together. Shorten them, or remove those that are not needed.`,
  );
}
