import { type App, inSeconds } from "../../app.ts";
import { ChainError } from "../../chains/reader.ts";
import { discoverOn } from "../../discovery/discover.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import * as store from "../../store/imports/discoveries.ts";
import { externalServicesOf } from "../inspection/chain-access.ts";
import { cacheSeconds, chainWithId } from "./discoveries.ts";

const leaseSeconds = 300;
const chainDeadlineMs = 60_000;
/** A discovery that repeatedly crashes its worker fails after this many attempts. */
const maxAttempts = 3;

/** Runs one pending discovery, chain by chain; `hasMore` if there may be more. */
export async function runNextDiscovery(app: App): Promise<{ hasMore: boolean }> {
  const row = await store.claimDiscovery(app.db, app.clock.now(), inSeconds(app, leaseSeconds));
  if (!row) return { hasMore: false };
  const pending = row.chains.filter(({ status }) => status === "pending");
  for (const { chain_id } of pending) {
    const isExhausted = row.attempts > maxAttempts;
    // Each chain may take a minute; renewing the lease keeps other workers away.
    await store.renewLease(app.db, row.id, inSeconds(app, leaseSeconds));
    const outcome = isExhausted ? givenUp : await searchChain(app, chain_id, row);
    await store.finishChain(app.db, row.id, chain_id, outcome);
    app.bus.publish({ topic: "stream.queued" });
  }
  await finish(app, row.id, row.org_id);
  return { hasMore: true };
}

const givenUp = {
  status: "failed" as const,
  error: "The search was attempted several times without completing.",
  results: [],
};

type Outcome = Parameters<typeof store.finishChain>[3];

async function searchChain(
  app: App,
  chain_id: number,
  row: { wallet_address: string; org_id: string },
): Promise<Outcome> {
  const wallet = row.wallet_address;
  const cachedFindings = await store.listFindings(app.db, wallet, [chain_id], inSeconds(app, -cacheSeconds));
  const cached = cachedFindings.get(chain_id);
  if (cached) return cached;
  const chain = chainWithId(chain_id);
  if (!chain) return { status: "failed", error: "This chain is no longer supported.", results: [] };
  const timedOut = () => new ChainError(`${chain.name} timed out.`);
  try {
    const search = Promise.resolve().then(() =>
      discoverOn(app.chains.clientFor(chain), externalServicesOf(app, row.org_id), wallet),
    );
    const { found, limitations } = await withDeadline(chainDeadlineMs, search, timedOut);
    const status = limitations.length > 0 ? ("partial" as const) : ("completed" as const);
    const outcome = { status, error: limitations.join(" ") || null, results: found };
    await store.saveFindings(app.db, wallet, chain_id, outcome, app.clock.now());
    return outcome;
  } catch (error) {
    // Errors of RPC endpoints may contain their URL with a key, so they are only logged.
    app.log.warn({ err: error, chain: chain.chain }, "wallet discovery failed");
    if (!(error instanceof ChainError)) throw error;
    return { status: "failed", error: `${chain.name} could not be read.`, results: [] };
  }
}

/** Sets the final status: `completed` or `failed` if all chains are, otherwise `partial`. */
async function finish(app: App, id: string, org_id: string): Promise<void> {
  const [row] = await store.listDiscoveriesByIds(app.db, org_id, [id]);
  if (!row || row.chains.some(({ status }) => status === "pending")) return;
  const statuses = new Set(row.chains.map(({ status }) => status));
  const [only] = [...statuses];
  const status = statuses.size === 1 && (only === "completed" || only === "failed") ? only : "partial";
  const error = status === "failed" ? "No chain could be read." : null;
  await store.finishDiscovery(app.db, id, { status, error, completed_at: app.clock.now() });
  app.bus.publish({ topic: "stream.queued" });
}
