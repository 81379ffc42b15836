import { ChainError } from "../../reader.ts";
import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { listBackwards, type Walk, type Walked } from "./list-backwards.ts";
import type { Outcome } from "./round.ts";

/** An address that every node lists, if it lists any. */
const systemProgram = "11111111111111111111111111111111";
const walkMs = 60_000;

/** A node answers other requests, but not this one: the address may be at fault. */
class ListingRefused extends Error {
  override name = "ListingRefused";
}

/**
 * Walks with one endpoint after another. An error that only this listing may have caused does not count against the endpoint,
 * because listings of other addresses would have to wait.
 */
export async function walkOnEach(rpc: Rpc, walk: Walk, prefer: number | undefined): Promise<Walked> {
  let next = prefer;
  for (let left = rpc.endpoints; ; left--) {
    const work = async (session: Session) => {
      next = (session.endpoint + 1) % rpc.endpoints;
      return listBackwards(session, walk).catch(separateErrors);
    };
    try {
      return await rpc.use(work, { prefer: next, totalMs: walkMs });
    } catch (error) {
      if (left <= 1 || !(error instanceof ListingRefused || error instanceof RpcError)) throw error;
    }
  }
}

function separateErrors(error: unknown): never {
  const isOfRequest =
    error instanceof EndpointFailure && (error.kind === "error" || error.kind === "unsupported");
  throw isOfRequest ? new ListingRefused(error.message) : error;
}

/** Rejects when no node lists the transactions of any address. */
export async function requireListing(rpc: Rpc, prefer: number | undefined): Promise<void> {
  const params = [systemProgram, { limit: 1, commitment: "confirmed" }];
  await rpc.request("getSignaturesForAddress", params, { prefer }).catch((error: unknown) => {
    // The node understood the request.
    if (!(error instanceof RpcError)) throw error;
  });
}

/** Why an address is not listed, to be read after its name. */
export function problemOfListing(outcome: Outcome | undefined): string {
  if (outcome === undefined || typeof outcome === "string")
    return "cannot be listed: the nodes take too long to list its transactions";
  const { error } = outcome;
  if (error instanceof ListingRefused) return `cannot be listed: a node ${error.message}`;
  if (error instanceof RpcError) return `cannot be listed: the nodes return error ${error.code}`;
  if (error instanceof ChainError)
    return `cannot be listed: ${error.publicMessage.replace(/^The chain could not be read: /, "").replace(/\.$/, "")}`;
  return "cannot be listed, because of an internal error";
}
