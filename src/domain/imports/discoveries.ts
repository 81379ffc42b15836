import { type App, inSeconds, newId } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { parseAddress } from "../../chains/evm/values/address.ts";
import { chains } from "../../chains/index.ts";
import { AppError, InvalidRequest, type Issue } from "../../errors/app-error.ts";
import { listWatchedAt } from "../../store/contracts/contracts.ts";
import * as store from "../../store/imports/discoveries.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { listVisibleIds } from "../../store/viewer.ts";
import { tierLimits, tierName } from "../../tiers.ts";
import type { ChainInfo } from "../../wire/contracts/chains.ts";
import type { DiscoveriesQuery, DiscoveryCreate, WalletDiscovery } from "../../wire/imports/discoveries.ts";
import type { Page } from "../../wire/paging.ts";
import type { OrgCaller } from "../caller.ts";
import { listEnabledChains, makeChainFinder } from "../contracts/chains.ts";
import { byCreation, pageRequest, toPage } from "../page.ts";
import { inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";

const day = 24 * 60 * 60;
/** Lifetime of cached findings. */
export const cacheSeconds = day;

/** Returns the chains that support wallet discovery. */
export async function listDiscoveryChains(app: App): Promise<ChainInfo[]> {
  return (await listEnabledChains(app)).filter(({ kind }) => kind === "evm");
}

export async function listDiscoveries(
  app: App,
  caller: OrgCaller,
  query: DiscoveriesQuery,
): Promise<Page<WalletDiscovery>> {
  const rows = await store.listDiscoveries(app.db, viewerOf(caller), pageRequest(query));
  const page = toPage(rows, query.limit, byCreation);
  return { ...page, items: await Promise.all(page.items.map((row) => toDiscovery(app.db, caller, row))) };
}

export async function getDiscovery(app: App, caller: OrgCaller, id: string): Promise<WalletDiscovery> {
  return toDiscovery(app.db, caller, await loadDiscovery(app.db, caller, id));
}

/** Deletes a discovery, also one that is running. Contracts that were imported from it stay. */
export async function removeDiscovery(app: App, caller: OrgCaller, id: string): Promise<{ ok: true }> {
  return inTransaction(app, caller, async (tx, { audit }) => {
    const { wallet_address } = await loadDiscovery(tx, caller, id);
    await store.deleteDiscovery(tx, caller.org_id, id, app.clock.now());
    const subject = { type: "discovery", id };
    audit({ org_id: caller.org_id, action: "discovery.deleted", subject, details: { wallet_address } });
    return { ok: true };
  });
}

/** Starts a discovery. Cached findings of the last day are included immediately. */
export async function startDiscovery(
  app: App,
  caller: OrgCaller,
  input: DiscoveryCreate,
): Promise<WalletDiscovery> {
  const { wallet, chain_ids } = await validate(app, input);
  const now = app.clock.now();
  return inTransaction(app, caller, async (tx, { audit, hint }) => {
    await requireQuota(app, tx, caller.org_id);
    const cached = await store.listFindings(tx, wallet, chain_ids, inSeconds(app, -cacheSeconds));
    const isCached = chain_ids.every((chain_id) => cached.has(chain_id));
    const statuses = [...cached.values()].map(({ status }) => status);
    if (!isCached) await requireFreeDiscovery(tx, caller.org_id);
    const id = newId(app);
    await store.insertDiscovery(
      tx,
      {
        id,
        org_id: caller.org_id,
        wallet_address: wallet,
        chain_ids: chain_ids.map(String),
        status: isCached ? (statuses.includes("partial") ? "partial" : "completed") : "pending",
        is_cached: isCached,
        error: null,
        leased_until: null,
        created_by: caller.user_id,
        created_at: now,
        completed_at: isCached ? now : null,
      },
      chain_ids.map((chain_id) => progressOf(id, chain_id, cached.get(chain_id))),
    );
    const details = { wallet_address: wallet, chain_ids };
    audit({
      org_id: caller.org_id,
      action: "discovery.started",
      subject: { type: "discovery", id },
      details,
    });
    hint({ topic: "discovery.queued" });
    return toDiscovery(tx, caller, await loadDiscovery(tx, caller, id));
  });
}

function progressOf(discovery_id: string, chain_id: number, cached: store.Findings | undefined) {
  return {
    discovery_id,
    chain_id: String(chain_id),
    status: cached?.status ?? ("pending" as const),
    found: cached?.results.length ?? 0,
    error: cached?.error ?? null,
    results: JSON.stringify(cached?.results ?? []),
  };
}

async function validate(app: App, input: DiscoveryCreate): Promise<{ wallet: string; chain_ids: number[] }> {
  const wallet = parseAddress(input.wallet_address);
  const issues = await findDiscoveryIssues(app, input);
  if (!wallet || issues.length > 0) throw new InvalidRequest(issues);
  return { wallet, chain_ids: [...new Set(input.chain_ids)] };
}

/** Returns what is wrong with the given fields. */
export async function findDiscoveryIssues(
  app: App,
  { wallet_address, chain_ids = [] }: Partial<DiscoveryCreate>,
): Promise<Issue[]> {
  const findChain = await makeChainFinder(app);
  const isSupported = (chain_id: number) => {
    const chain = chainWithId(chain_id);
    return chain?.kind === "evm" && findChain(chain.chain) !== undefined;
  };
  const isInvalid = wallet_address !== undefined && !parseAddress(wallet_address);
  return [
    ...(isInvalid
      ? [{ loc: ["body", "wallet_address"], msg: "is not an address", type: "value_error" }]
      : []),
    ...chain_ids.flatMap((chain_id, index): Issue[] => {
      const loc = ["body", "chain_ids", index];
      return isSupported(chain_id) ? [] : [{ loc, msg: "is not an enabled EVM chain", type: "value_error" }];
    }),
  ];
}

export function chainWithId(chain_id: number): Chain | undefined {
  return chains.find((chain) => chain.chain_id === chain_id);
}

async function requireQuota(app: App, tx: Db, org_id: string): Promise<void> {
  const { tier } = await lockOrg(tx, org_id);
  const { discoveriesPerDay } = tierLimits[tier];
  if ((await store.countDiscoveriesSince(tx, org_id, inSeconds(app, -day))) < discoveriesPerDay) return;
  const message = `The ${tierName(tier)} tier allows ${discoveriesPerDay} wallet discoveries per day.`;
  throw new AppError("quota_exceeded", message);
}

/** The maximum number of discoveries of an organisation that wait or run; each takes up to a minute per chain. */
const maxPending = 20;

async function requireFreeDiscovery(tx: Db, org_id: string): Promise<void> {
  if ((await store.countPendingDiscoveries(tx, org_id)) < maxPending) return;
  const message = `The organisation has ${maxPending} discoveries that are not complete. Start another when one is.`;
  throw new AppError("org_busy", message, { retryAfterSeconds: 15 });
}

export async function loadDiscovery(db: Db, caller: OrgCaller, id: string): Promise<store.DiscoveryRow> {
  const row = await store.findDiscovery(db, viewerOf(caller), id);
  if (!row) throw new AppError("not_found", "There is no such discovery.");
  return row;
}

/** Converts a discovery for the caller: contracts that they cannot see do not show as imported. */
async function toDiscovery(db: Db, caller: OrgCaller, row: store.DiscoveryRow): Promise<WalletDiscovery> {
  const addresses = row.chains.flatMap(({ chain_id, results: found }) =>
    found.map((discoveredAddress) => ({ ...discoveredAddress, chain_id })),
  );
  const locations = addresses.map(({ chain_id, address }) => ({
    chain: chainWithId(chain_id)?.chain ?? "",
    address,
  }));
  const watched = await listWatchedAt(db, caller.org_id, locations);
  const visible = new Set(await listVisibleIds(db, viewerOf(caller), [...watched.values()]));
  return {
    ...describeDiscovery(row),
    results: addresses.map(({ last_at, ...result }, index) => {
      const location = locations[index];
      const id = watched.get(`${location?.chain} ${location?.address}`);
      return {
        ...result,
        last_interaction_at: last_at === null ? null : new Date(last_at * 1000).toISOString(),
        already_imported: id !== undefined && visible.has(id),
      };
    }),
  };
}

/** Returns status and progress of a discovery, without its results. */
export function describeDiscovery(row: store.DiscoveryRow): Omit<WalletDiscovery, "results"> {
  return {
    id: row.id,
    wallet_address: row.wallet_address,
    chain_ids: row.chain_ids.map(Number),
    status: row.status,
    progress: Object.fromEntries(
      row.chains.map(({ chain_id, status, found, error }) => [String(chain_id), { status, found, error }]),
    ),
    cached: row.is_cached,
    error: row.error,
    created_at: row.created_at.toISOString(),
    completed_at: row.completed_at?.toISOString() ?? null,
  };
}
