import { EndpointFailure, RpcError } from "../../rpc/failure.ts";
import type { RpcCall, RpcReply } from "../../rpc/replies.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { unsupportedVersionCode } from "../classify-error.ts";
import { type LocatedTransaction, readTransaction } from "../transactions/transaction.ts";
import { undecodableTransaction } from "../transactions/undecodable-transaction.ts";
import type { ListedSignature } from "./listed-signature.ts";

/** The newest supported transaction version, and the one that every node accepts. */
const newestVersion = 1;
const oldestVersion = 0;
const versionKey = "solana.transaction_version";
const invalidParams = -32602;
const fetchMs = 30_000;

export type FetchOptions = {
  prefer: number | undefined;
  /** True if an endpoint that returns none of them is at fault. */
  requiresSome: boolean;
};

/**
 * Fetches transactions from one endpoint after another. Those that no endpoint returns are left out, and those of a version that
 * every endpoint rejects have no contents.
 */
export async function fetchTransactions(
  rpc: Rpc,
  listed: readonly ListedSignature[],
  { prefer, requiresSome }: FetchOptions,
): Promise<Map<string, LocatedTransaction>> {
  const found = new Map<string, LocatedTransaction>();
  const isOpen = ({ signature }: ListedSignature) => {
    const one = found.get(signature);
    return !one || one.transaction.is_opaque === true;
  };
  let next = prefer;
  for (let left = rpc.endpoints; left > 0; left--) {
    const missing = listed.filter(isOpen);
    if (missing.length === 0) break;
    await rpc
      .use(
        async (session) => {
          next = (session.endpoint + 1) % rpc.endpoints;
          await fetchSome(session, missing, found);
          if (requiresSome && found.size === 0)
            throw new EndpointFailure("missing", "does not return the transactions that it lists");
        },
        { prefer: next, totalMs: fetchMs },
      )
      .catch((error: unknown) => {
        // Of these, at least the success is known.
        if (missing.some(({ signature }) => !found.has(signature))) throw error;
      });
  }
  return found;
}

/** Adds what one endpoint returns. Throws when it failed to answer anything. */
async function fetchSome(
  session: Session,
  missing: readonly ListedSignature[],
  found: Map<string, LocatedTransaction>,
): Promise<void> {
  const replies = await requestAll(session, missing);
  for (const [at, one] of missing.entries()) {
    const transaction = readReply(one, replies[at] as RpcReply);
    if (transaction) found.set(one.signature, transaction);
  }
  const failures = replies.flatMap((reply) =>
    "failure" in reply && reply.failure instanceof EndpointFailure ? [reply.failure] : [],
  );
  const ofEndpoint = failures.find(({ kind }) => kind !== "error");
  if (ofEndpoint && failures.length === replies.length) throw ofEndpoint;
}

/** Requests with an older version where a node rejects the newest one. */
async function requestAll(session: Session, missing: readonly ListedSignature[]): Promise<RpcReply[]> {
  const version = session.memory.get(versionKey) ?? newestVersion;
  const replies = await session.batch(missing.map((one) => toCall(one, version)));
  const isRejected = replies.every(
    (reply) =>
      "failure" in reply && reply.failure instanceof RpcError && reply.failure.code === invalidParams,
  );
  if (!isRejected || version === oldestVersion) return replies;
  session.memory.set(versionKey, oldestVersion);
  return requestAll(session, missing);
}

function toCall({ signature }: ListedSignature, maxSupportedTransactionVersion: number): RpcCall {
  const options = { encoding: "json", commitment: "confirmed", maxSupportedTransactionVersion };
  return { method: "getTransaction", params: [signature, options] };
}

/** Undefined if the endpoint does not have the transaction, or not as it lists it. */
function readReply(listed: ListedSignature, reply: RpcReply): LocatedTransaction | undefined {
  if ("failure" in reply) {
    const isNewVersion = reply.failure instanceof RpcError && reply.failure.code === unsupportedVersionCode;
    return isNewVersion ? undecodableTransaction(listed) : undefined;
  }
  if (reply.result === null) return undefined;
  try {
    const found = readTransaction(reply.result, listed.signature);
    return found.slot === listed.slot ? found : undefined;
  } catch (error) {
    // Another endpoint may return it in a valid form.
    if (error instanceof EndpointFailure) return undefined;
    throw error;
  }
}
