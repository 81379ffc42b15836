import { type App, inSeconds } from "../../app.ts";
import { ChainError } from "../../chains/reader.ts";
import { discoverOn } from "../../discovery/discover.ts";
import { withDeadline } from "../../lib/deadline.ts";
import * as store from "../../store/imports/discoveries.ts";
import { lookupServicesOf } from "../inspection/chain-access.ts";
import { cacheSeconds, chainWithId } from "./discoveries.ts";

const leaseSeconds = 300;
const chainDeadlineMs = 60_000;
/** One that ends its worker again and again is given up. */
const maxAttempts = 3;

/** Works on one discovery that waits, chain by chain; says whether there may be more. */
export async function runNextDiscovery(app: App): Promise<{ hasMore: boolean }> {
  const row = await store.claimDiscovery(app.db, app.clock.now(), inSeconds(app, leaseSeconds));
  if (!row) return { hasMore: false };
  const pending = row.chains.filter(({ status }) => status === "pending");
  for (const { chain_id } of pending) {
    const isOver = row.attempts > maxAttempts;
    // Each chain may take a minute, and there may be many: nobody else is to begin while this one is alive.
    await store.renewLease(app.db, row.id, inSeconds(app, leaseSeconds));
    const outcome = isOver ? givenUp : await lookOn(app, chain_id, row.wallet_address);
    await store.finishChain(app.db, row.id, chain_id, outcome);
    app.bus.publish({ topic: "stream.queued" });
  }
  await finish(app, row.id, row.org_id);
  return { hasMore: true };
}

const givenUp = {
  status: "failed" as const,
  error: "This was tried several times without coming to an end.",
  results: [],
};

type Outcome = Parameters<typeof store.finishChain>[3];

async function lookOn(app: App, chain_id: number, wallet: string): Promise<Outcome> {
  const known = await store.listFindings(app.db, wallet, [chain_id], inSeconds(app, -cacheSeconds));
  const kept = known.get(chain_id);
  if (kept) return kept;
  const chain = chainWithId(chain_id);
  if (!chain) return { status: "failed", error: "This chain is not known any more.", results: [] };
  const tooSlow = () => new ChainError(`${chain.name} took too long.`);
  try {
    const look = Promise.resolve().then(() =>
      discoverOn(app.chains.clientFor(chain), lookupServicesOf(app), wallet),
    );
    const { found, unseen } = await withDeadline(chainDeadlineMs, look, tooSlow);
    const status = unseen.length > 0 ? ("partial" as const) : ("completed" as const);
    const outcome = { status, error: unseen.join(" ") || null, results: found };
    await store.saveFindings(app.db, wallet, chain_id, outcome, app.clock.now());
    return outcome;
  } catch (error) {
    // What nodes say may hold their URL, and that a key: it is for the log alone.
    app.log.warn({ err: error, chain: chain.chain }, "a wallet could not be looked up");
    if (!(error instanceof ChainError)) throw error;
    return { status: "failed", error: `${chain.name} could not be read.`, results: [] };
  }
}

/** Completed when every chain is, failed when every chain is, partial in between. */
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
