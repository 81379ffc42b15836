import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Hex } from "../../chains/block.ts";
import { type Offload, WorkLimitExceeded, workerTask } from "../../lib/concurrency/worker-pool.ts";

/** A function found in the bytecode of a contract. */
export type FoundFunction = { selector: Hex; arguments: string | null; state_mutability: string | null };

/** Above the contract size limits of the chains; analysing more would take too long. */
const maxBytes = 100_000;
const maxFunctions = 1000;
const analysed = new LRUCache<string, CodeAnalysis>({ max: 200 });

/** The functions of a contract, and why the analysis was given up. */
export type CodeAnalysis = { functions: FoundFunction[]; problem: string | null };

/** Returns the functions in runtime bytecode. Results, also failures, are cached by the hash of the code. */
export async function functionsInCode(offload: Offload, code: Hex): Promise<CodeAnalysis> {
  if (code.length <= 2 || code.length > 2 + 2 * maxBytes) return { functions: [], problem: null };
  const key = createHash("sha256").update(code).digest("base64");
  const cached = analysed.get(key);
  if (cached) return cached;
  const analysis = await analyse(offload, code);
  analysed.set(key, analysis);
  return analysis;
}

async function analyse(offload: Offload, code: Hex): Promise<CodeAnalysis> {
  try {
    return { functions: await offload(findFunctionsTask, code), problem: null };
  } catch (error) {
    if (!(error instanceof WorkLimitExceeded)) throw error;
    return { functions: [], problem: `The bytecode ${error.message}.` };
  }
}

/** Finds functions by symbolic execution, which crafted code can make slow. The analyser is large and loaded on first use. */
export async function findFunctions(code: Hex): Promise<FoundFunction[]> {
  const { contractInfo } = await import("evmole");
  const { functions = [] } = contractInfo(code, { selectors: true, arguments: true, stateMutability: true });
  return functions.slice(0, maxFunctions).map((contractFunction) => ({
    selector: `0x${contractFunction.selector}`,
    arguments: contractFunction.arguments ?? null,
    state_mutability: contractFunction.stateMutability ?? null,
  }));
}

const findFunctionsTask = workerTask("src/inspection/abi/bytecode.ts", findFunctions, 3_000);
