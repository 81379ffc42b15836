import { EndpointFailure, type FailureKind, RpcError } from "../../rpc/failure.ts";
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

/** What the endpoints returned. `unanswered` are transactions of requests that got no answer in time. */
type Fetched = { found: Map<string, LocatedTransaction>; unanswered: Set<string> };

/**
 * Fetches transactions from one endpoint after another. Those that no endpoint returns are left out, and those of a version that
 * every endpoint rejects have no contents. One that an endpoint did not record completely is requested from the others. Rejects only when an endpoint answers nothing else either.
 */
export async function fetchTransactions(
  rpc: Rpc,
  listed: readonly ListedSignature[],
  prefer: number | undefined,
): Promise<Fetched> {
  const fetched: Fetched = { found: new Map(), unanswered: new Set() };
  const { found } = fetched;
  const isOpen = ({ signature }: ListedSignature) => {
    const transaction = found.get(signature);
    return !transaction || isIncomplete(transaction);
  };
  let next = prefer;
  for (let left = rpc.endpoints; left > 0; left--) {
    const missing = listed.filter(isOpen);
    if (missing.length === 0) break;
    const work = async (session: Session) => {
      next = (session.endpoint + 1) % rpc.endpoints;
      await fetchSome(session, missing, fetched);
    };
    await rpc.use(work, { prefer: next, totalMs: fetchMs }).catch((error: unknown) => {
      // Of these, at least the success is known.
      if (missing.some(({ signature }) => !found.has(signature))) throw error;
    });
  }
  return fetched;
}

function isIncomplete({ transaction }: LocatedTransaction): boolean {
  return transaction.is_opaque === true || transaction.is_unrecorded === true;
}

/** Adds what one endpoint returns. */
async function fetchSome(
  session: Session,
  missing: readonly ListedSignature[],
  { found, unanswered }: Fetched,
): Promise<void> {
  const replies = await requestAll(session, missing);
  for (const [index, listedSignature] of missing.entries()) {
    const reply = replies[index] as RpcReply;
    const transaction = readReply(listedSignature, reply);
    if (transaction && !(transaction.transaction.is_opaque && found.has(listedSignature.signature)))
      found.set(listedSignature.signature, transaction);
    if (isTimeout(reply)) unanswered.add(listedSignature.signature);
    else unanswered.delete(listedSignature.signature);
  }
  const failures = replies.flatMap((reply) =>
    "failure" in reply && reply.failure instanceof EndpointFailure ? [reply.failure] : [],
  );
  if (failures.length === replies.length) await requireEndpoint(session, failures);
}

/** Failures that any other request would have too. */
const ofEveryRequest: ReadonlySet<FailureKind> = new Set(["limited", "refused", "unsupported", "deadline"]);

/** Throws when the endpoint is at fault, and not the transactions: it then does not answer anything else either. */
async function requireEndpoint(session: Session, failures: readonly EndpointFailure[]): Promise<void> {
  const failure = failures.find(({ kind }) => kind !== "error");
  if (!failure) return;
  if (ofEveryRequest.has(failure.kind)) throw failure;
  await session.request("getSlot", [{ commitment: "confirmed" }]).catch(() => Promise.reject(failure));
}

function isTimeout(reply: RpcReply): boolean {
  return "failure" in reply && reply.failure instanceof EndpointFailure && reply.failure.kind === "timeout";
}

/** Requests with an older version where a node rejects the newest one. */
async function requestAll(session: Session, missing: readonly ListedSignature[]): Promise<RpcReply[]> {
  const version = session.memory.get(versionKey) ?? newestVersion;
  const replies = await session.batch(missing.map((listedSignature) => toCall(listedSignature, version)));
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
    const transaction = readTransaction(reply.result, listed.signature);
    return transaction.slot === listed.slot ? transaction : undefined;
  } catch (error) {
    // Another endpoint may return it in a valid form.
    if (error instanceof EndpointFailure) return undefined;
    throw error;
  }
}
