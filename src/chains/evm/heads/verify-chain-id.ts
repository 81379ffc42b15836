import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";

/** A development node may stand in for any chain. */
const developmentIds = new Set([31_337, 1_337]);
const verified = "chain_id";

/** Makes the question that every endpoint is asked first: a URL in the wrong place would have us follow another chain. */
export function verifyChainId({ chain_id }: { chain_id: number }) {
  return async (session: Session): Promise<void> => {
    if (developmentIds.has(chain_id) || session.memory.has(verified)) return;
    const id = Number((await session.request("eth_chainId", []).catch(ignoreUnsupported)) ?? chain_id);
    if (id !== chain_id && !developmentIds.has(id))
      throw new EndpointFailure("refused", `is a node of chain ${id} and not of ${chain_id}`);
    session.memory.set(verified, id);
  };
}

/** Whoever does not know the question is believed to be what the operator says. */
function ignoreUnsupported(error: unknown): undefined {
  const isUnknown =
    error instanceof EndpointFailure ? error.kind === "unsupported" : error instanceof RpcError;
  if (!isUnknown) throw error;
}
