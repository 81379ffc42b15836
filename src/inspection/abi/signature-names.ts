import { z } from "zod";
import type { Hex } from "../../chains/block.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import {
  type ExternalServices,
  fetchServiceJson,
  SourceError,
  type SourceReport,
} from "./external-services.ts";
import { knownFunctions } from "./known-functions.ts";

const shape = z.object({
  result: z.object({
    function: z.record(z.string(), z.array(z.object({ name: z.string().max(500) })).nullish()),
  }),
});
const maxBatch = 100;
const completeTtlMs = 3_600_000;
const partialTtlMs = 120_000;

/** Resolves selectors to signatures: from the known functions, then from the signature service. */
export async function nameSelectors(
  services: ExternalServices,
  selectors: readonly Hex[],
  timeoutMs: number,
): Promise<{ names: Map<Hex, string>; report: SourceReport }> {
  const names = new Map<Hex, string>();
  for (const selector of selectors) {
    const name = knownFunctions().get(selector);
    if (name) names.set(selector, name);
  }
  const unresolved = selectors.filter((selector) => !names.has(selector)).slice(0, maxBatch);
  const report = await lookUpSignatures(services, unresolved, names, timeoutMs);
  return { names, report };
}

async function lookUpSignatures(
  services: ExternalServices,
  unresolved: readonly Hex[],
  names: Map<Hex, string>,
  timeoutMs: number,
): Promise<SourceReport> {
  const source = "signatures";
  if (!services.signaturesUrl) return { source, status: "skipped", detail: "SIGNATURES_URL is not set." };
  if (unresolved.length === 0)
    return { source, status: "skipped", detail: "All functions are already known." };
  try {
    const key = `signatures ${unresolved.join()}`;
    const found = await services.cache.get(
      key,
      (names: Map<Hex, string>) => (names.size === unresolved.length ? completeTtlMs : partialTtlMs),
      () => fetchSignatures(services, unresolved, timeoutMs),
    );
    for (const [selector, name] of found) names.set(selector, name);
    return { source, status: found.size > 0 ? "found" : "not_found", detail: null };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { source, status: error.status, detail: error.message };
  }
}

async function fetchSignatures(
  services: ExternalServices,
  selectors: readonly Hex[],
  timeoutMs: number,
): Promise<Map<Hex, string>> {
  const url = new URL(`${services.signaturesUrl}/signature-database/v1/lookup`);
  url.searchParams.set("function", selectors.join(","));
  url.searchParams.set("filter", "true");
  const parsed = shape.safeParse((await fetchServiceJson(services, url, timeoutMs)).body);
  if (!parsed.success) throw new SourceError("invalid", "The reply of the service has an unexpected format.");
  const byName = parsed.data.result.function;
  return new Map(
    selectors.flatMap((selector) => {
      const candidates = Object.hasOwn(byName, selector) ? (byName[selector] ?? []) : [];
      const match = candidates.find(({ name }) => matchesSelector(name, selector));
      return match ? [[selector, match.name] as const] : [];
    }),
  );
}

/** A signature is accepted only if it hashes to the selector. */
function matchesSelector(name: string, selector: Hex): boolean {
  const read = canonicalFunction(name);
  return read.ok && read.selector === selector;
}
