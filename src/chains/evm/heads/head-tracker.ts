import type { Clock } from "../../../lib/clock.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "../blocks/block-verifier.ts";
import { fetchHead, type ReportedHead, requestHeader } from "./fetch-head.ts";
import { surveyHeads } from "./survey-heads.ts";

/** Tracks the head through one endpoint for as long as it keeps up, so that consecutive replies are consistent. */
export type HeadTracker = {
  head(): Promise<BlockRef>;
  ref(height: number): Promise<BlockRef | undefined>;
  /** The endpoint that reported the current head. */
  endpoint(): number | undefined;
  /** The head that was reported last. */
  currentHead(): BlockRef | undefined;
  /** A sentence for the operator while endpoints show different chains. */
  warning(): string | undefined;
};

const surveyIntervalMs = 10_000;

export function makeHeadTracker(rpc: Rpc, verifier: BlockVerifier, clock: Clock): HeadTracker {
  let current: ReportedHead | undefined;
  let surveyedAt: number | undefined;
  /** The endpoints that showed another chain than the others in the last survey. */
  let dissenting: ReadonlySet<number> = new Set();

  async function survey(): Promise<ReportedHead | undefined> {
    if (rpc.endpoints < 2) return undefined;
    const now = clock.now().getTime();
    if (surveyedAt !== undefined && Math.abs(now - surveyedAt) < surveyIntervalMs) return undefined;
    surveyedAt = now;
    const surveyed = await surveyHeads(rpc, verifier, current?.endpoint);
    dissenting = surveyed.dissenting ?? dissenting;
    return surveyed.best;
  }

  function rejectDissenting({ endpoint }: Session): void {
    if (dissenting.has(endpoint))
      throw new EndpointFailure("inconsistent", "shows a different chain than other endpoints");
  }

  async function head(): Promise<BlockRef> {
    const surveyed = await survey();
    const reported = surveyed ?? (await rpc.use(fetchTrusted, { prefer: current?.endpoint }));
    // The endpoint changed without a survey: the new one may lag, so the next call surveys all of them.
    if (current && reported.endpoint !== current.endpoint && !surveyed) surveyedAt = undefined;
    current = reported;
    return reported.ref;
  }

  async function fetchTrusted(session: Session): Promise<ReportedHead> {
    rejectDissenting(session);
    return fetchHead(session, verifier);
  }

  async function ref(height: number): Promise<BlockRef | undefined> {
    const known = current?.ref ?? (await head());
    const work = async (session: Session) => {
      rejectDissenting(session);
      return fetchRef(session, verifier, height, known);
    };
    return rpc.use(work, { prefer: current?.endpoint });
  }

  function warning(): string | undefined {
    if (dissenting.size === 0) return undefined;
    return `${dissenting.size} of ${rpc.endpoints} endpoints show a different chain than the one that is followed.`;
  }

  return {
    head,
    ref,
    endpoint: () => current?.endpoint,
    currentHead: () => current?.ref,
    warning,
  };
}

/** Fetches the block at a height. An endpoint without a block below the known head lags. */
async function fetchRef(
  session: Session,
  verifier: BlockVerifier,
  height: number,
  head: BlockRef,
): Promise<BlockRef | undefined> {
  const value = await requestHeader(session, height, false);
  if (value === null && height > head.height) return undefined;
  if (value === null) throw new EndpointFailure("missing", "lacks a block below the head");
  const found = verifier.acceptRef(value, session.endpoint);
  if (found.height !== height) throw new EndpointFailure("inconsistent", "returned another block");
  return found;
}
