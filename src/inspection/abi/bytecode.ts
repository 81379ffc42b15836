import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Hex } from "../../chains/block.ts";

/** A function found in the bytecode of a contract. */
export type FoundFunction = { selector: Hex; arguments: string | null; state_mutability: string | null };

/** Above the contract size limits of the chains; analysing more would take too long. */
const maxBytes = 100_000;
const maxFunctions = 1000;
const analysed = new LRUCache<string, FoundFunction[]>({ max: 200 });

/** Returns the functions in runtime bytecode. Results are cached by the hash of the code. */
export async function functionsInCode(code: Hex): Promise<FoundFunction[]> {
  if (code.length <= 2 || code.length > 2 + 2 * maxBytes) return [];
  const key = createHash("sha256").update(code).digest("base64");
  const known = analysed.get(key);
  if (known) return known;
  const found = await analyse(code);
  analysed.set(key, found);
  return found;
}

/** Loads the analyser on first use: it is large, and most commands do not need it. */
async function analyse(code: Hex): Promise<FoundFunction[]> {
  const { contractInfo } = await import("evmole");
  const { functions = [] } = contractInfo(code, { selectors: true, arguments: true, stateMutability: true });
  return functions.slice(0, maxFunctions).map((one) => ({
    selector: `0x${one.selector}`,
    arguments: one.arguments ?? null,
    state_mutability: one.stateMutability ?? null,
  }));
}
