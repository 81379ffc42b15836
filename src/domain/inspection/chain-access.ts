import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ChainClient } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Services } from "../../inspection/abi/lookup-services.ts";
import { makeBulkhead } from "../../lib/bulkhead.ts";
import { withDeadline } from "../../lib/deadline.ts";

/** Less than the request has in all, so that the answer can say what kept it. */
const budgetMs = 11_000;

/** Each question is dozens of requests to a node, so that only so many are asked at once. */
const bulkhead = makeBulkhead({ maxConcurrent: 16, maxQueued: 100 });

/** For a request that asks a chain and outside services. */
export const chainRequestLimits = { deadlineMs: 12_000 };

/** How long a person waits for each outside service. */
export const serviceTimeoutMs = 2_000;

/** Asks a chain something in bounded time. When it cannot be read the answer is 503, never a guess. */
export async function withChainClient<Answer>(
  app: App,
  chain: Chain,
  work: (client: ChainClient) => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = bulkhead.run(async () => work(app.chains.clientFor(chain)));
    return await withDeadline(budgetMs, answer, () => unavailable(chain, undefined));
  } catch (error) {
    throw error instanceof ChainError ? unavailable(chain, error) : error;
  }
}

/** The cause names hosts of nodes, which are for the log alone. */
function unavailable(chain: Chain, cause: unknown): AppError {
  return new AppError("chain_unavailable", `${chain.name} cannot be read at the moment. Try again.`, {
    cause,
    retryAfterSeconds: 5,
  });
}

/** The outside services as the operator set them. */
export function lookupServicesOf({ services, clock, lookups, config }: App): Services {
  return {
    outbound: services,
    clock,
    cache: lookups,
    sourcifyUrl: config.sourcifyUrl,
    etherscanUrl: config.etherscanUrl,
    etherscanKey: config.etherscanApiKey,
    signaturesUrl: config.signaturesUrl,
  };
}
