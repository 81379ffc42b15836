import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ChainClient } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";
import { AppError } from "../../errors/app-error.ts";
import type { ExternalServices } from "../../inspection/abi/external-services.ts";
import { withDeadline } from "../../lib/concurrency/deadline.ts";
import { makeFairQueue } from "../../lib/concurrency/fair-queue.ts";
import { offloadFor } from "../../lib/concurrency/worker-pool.ts";

/** Shorter than the deadline of the request, so that the reply can name the cause. */
const budgetMs = 11_000;

/** Limits concurrency, in total and by organisation: each inspection makes dozens of RPC calls. */
const inspections = makeFairQueue({
  maxRunning: 16,
  maxRunningPerOwner: 4,
  maxQueued: 100,
  maxQueuedPerOwner: 12,
  maxWaitMs: 6_000,
});

/** Limits of requests that read a chain and external services. */
export const chainRequestLimits = { deadlineMs: 12_000 };

/** Timeout for each external service during a request. */
export const serviceTimeoutMs = 2_000;

/** Runs work with a chain client under a deadline; rejects with 503 if the chain cannot be read. */
export async function withChainClient<Result>(
  app: App,
  org_id: string,
  chain: Chain,
  work: (client: ChainClient) => Promise<Result>,
): Promise<Result> {
  try {
    const result = inspections.run(org_id, async () => work(app.chains.clientFor(chain)));
    return await withDeadline(app.chains.maxRequestMs ?? budgetMs, result, () =>
      unavailable(chain, undefined),
    );
  } catch (error) {
    throw error instanceof ChainError ? unavailable(chain, error) : error;
  }
}

/** The cause contains host names of RPC endpoints and is only logged. */
function unavailable(chain: Chain, cause: unknown): AppError {
  return new AppError("chain_unavailable", `${chain.name} is temporarily unavailable. Try again.`, {
    cause,
    retryAfterSeconds: 5,
  });
}

/** Returns the external services as configured, and the worker threads for an organisation. */
export function externalServicesOf(app: App, org_id: string): ExternalServices {
  const { services, clock, lookups, config, workers } = app;
  return {
    offload: offloadFor(workers, org_id),
    outbound: services,
    clock,
    cache: lookups,
    sourcifyUrl: config.sourcifyUrl,
    etherscanUrl: config.etherscanUrl,
    etherscanKey: config.etherscanApiKey,
    signaturesUrl: config.signaturesUrl,
  };
}
