import { z } from "zod";
import type { Hex } from "../../chains/block.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { knownFunctions } from "./known-functions.ts";
import { askService, type Services, SourceFailure, type SourceReport } from "./lookup-services.ts";

const shape = z.object({
  result: z.object({
    function: z.record(z.string(), z.array(z.object({ name: z.string().max(500) })).nullish()),
  }),
});
const maxBatch = 100;
const keptMs = 3_600_000;
const partlyKeptMs = 120_000;

/** The signatures behind selectors: those that everybody knows, and those that a lookup service has. */
export async function nameSelectors(
  services: Services,
  selectors: readonly Hex[],
  timeoutMs: number,
): Promise<{ names: Map<Hex, string>; report: SourceReport }> {
  const names = new Map<Hex, string>();
  for (const selector of selectors) {
    const known = knownFunctions.get(selector);
    if (known) names.set(selector, known);
  }
  const open = selectors.filter((selector) => !names.has(selector)).slice(0, maxBatch);
  const report = await lookUp(services, open, names, timeoutMs);
  return { names, report };
}

async function lookUp(
  services: Services,
  open: readonly Hex[],
  names: Map<Hex, string>,
  timeoutMs: number,
): Promise<SourceReport> {
  const source = "signatures";
  if (!services.signaturesUrl) return { source, status: "skipped", detail: "SIGNATURES_URL is not set." };
  if (open.length === 0) return { source, status: "skipped", detail: "Every function is known already." };
  try {
    const key = `signatures ${open.join()}`;
    const found = await services.cache.get(
      key,
      (found: Map<Hex, string>) => (found.size === open.length ? keptMs : partlyKeptMs),
      () => ask(services, open, timeoutMs),
    );
    for (const [selector, name] of found) names.set(selector, name);
    return { source, status: found.size > 0 ? "found" : "not_found", detail: null };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    return { source, status: error.status, detail: error.message };
  }
}

async function ask(
  services: Services,
  selectors: readonly Hex[],
  timeoutMs: number,
): Promise<Map<Hex, string>> {
  const url = new URL(`${services.signaturesUrl}/signature-database/v1/lookup`);
  url.searchParams.set("function", selectors.join(","));
  url.searchParams.set("filter", "true");
  const parsed = shape.safeParse((await askService(services, url, timeoutMs)).body);
  if (!parsed.success) throw new SourceFailure("invalid", "Its answer makes no sense.");
  const byName = parsed.data.result.function;
  return new Map(
    selectors.flatMap((selector) => {
      const candidates = Object.hasOwn(byName, selector) ? (byName[selector] ?? []) : [];
      const right = candidates.find(({ name }) => isNamed(name, selector));
      return right ? [[selector, right.name] as const] : [];
    }),
  );
}

/** A name counts only when it gives this very selector. */
function isNamed(name: string, selector: Hex): boolean {
  const read = canonicalFunction(name);
  return read.ok && read.selector === selector;
}
