import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Session } from "../../rpc/session.ts";

/** A development node may be used in place of any chain. */
const developmentIds = new Set([31_337, 1_337]);
const verified = "chain_id";

/** Makes the handshake that rejects an endpoint of another chain, such as a URL in the wrong setting. */
export function verifyChainId({ chain_id }: { chain_id: number }) {
  return async (session: Session): Promise<void> => {
    if (developmentIds.has(chain_id) || session.memory.has(verified)) return;
    const id = Number((await session.request("eth_chainId", []).catch(ignoreUnsupported)) ?? chain_id);
    if (id !== chain_id && !developmentIds.has(id))
      throw new EndpointFailure("refused", `serves chain ${id} instead of ${chain_id}`);
    session.memory.set(verified, id);
  };
}

/** An endpoint without `eth_chainId` is trusted to serve the configured chain. */
function ignoreUnsupported(error: unknown): undefined {
  const isUnknown =
    error instanceof EndpointFailure ? error.kind === "unsupported" : error instanceof RpcError;
  if (!isUnknown) throw error;
}
