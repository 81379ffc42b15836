import type { Clock } from "../../../lib/clock.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import type { BlockVerifier } from "../blocks/block-verifier.ts";
import { readBlockRef } from "../blocks/header.ts";
import { fetchHead, type ReportedHead, requestHeader } from "./fetch-head.ts";
import { OlderHeads } from "./older-heads.ts";
import { surveyHeads } from "./survey-heads.ts";

/** Tracks the head through one endpoint for as long as it keeps up, so that consecutive replies are consistent. */
export type HeadTracker = {
  head(): Promise<BlockRef>;
  ref(height: number): Promise<BlockRef | undefined>;
  /** The endpoint that reported the current head. */
  endpoint(): number | undefined;
  /** The head that was reported last. */
  currentHead(): BlockRef | undefined;
  /** The blocks that were fetched since the last head, as nodes returned them. */
  recent: RecentBlocks;
  /** Fetches heads with their transactions, which then need no other request. */
  fetchWhole(isWhole: boolean): void;
  /** Sets how often the heads of all endpoints are compared. */
  surveyEvery(ms: number): void;
  /** A sentence for the operator while endpoints show different chains, or one of them different heights. */
  warning(): string | undefined;
};

/** Blocks by height as nodes returned them, until the next head. */
export type RecentBlocks = Map<number, unknown>;

const minSurveyMs = 10_000;

export function makeHeadTracker(rpc: Rpc, verifier: BlockVerifier, clock: Clock): HeadTracker {
  let current: ReportedHead | undefined;
  let surveyedAt: number | undefined;
  let surveyIntervalMs = minSurveyMs;
  let isWhole = false;
  const recent: RecentBlocks = new Map();
  const olderHeads = new OlderHeads(clock);
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
    recent.clear();
    const surveyed = await survey();
    const reported = surveyed ?? (await rpc.use(fetchTrusted, { prefer: current?.endpoint }));
    // The endpoint changed without a survey: the new one may lag, so the next call surveys all of them.
    if (current && reported.endpoint !== current.endpoint && !surveyed) surveyedAt = undefined;
    olderHeads.compare(current, reported);
    current = reported;
    recent.set(reported.ref.height, reported.value);
    return reported.ref;
  }

  async function fetchTrusted(session: Session): Promise<ReportedHead> {
    rejectDissenting(session);
    return fetchHead(session, verifier, isWhole);
  }

  async function ref(height: number): Promise<BlockRef | undefined> {
    const knownHead = current?.ref ?? (await head());
    if (recent.has(height)) return readBlockRef(recent.get(height));
    const work = async (session: Session) => {
      rejectDissenting(session);
      return fetchRef(session, verifier, { height, head: knownHead, recent });
    };
    return rpc.use(work, { prefer: current?.endpoint });
  }

  function warning(): string | undefined {
    if (dissenting.size === 0) return olderHeads.warning(rpc.endpoints);
    return `${dissenting.size} of ${rpc.endpoints} endpoints show a different chain than the one that is followed.`;
  }

  return {
    head,
    ref,
    endpoint: () => current?.endpoint,
    currentHead: () => current?.ref,
    recent,
    fetchWhole(wanted) {
      isWhole = wanted;
    },
    surveyEvery(ms) {
      surveyIntervalMs = Math.max(minSurveyMs, ms);
    },
    warning,
  };
}

/** Fetches the block at a height. An endpoint without a block below the known head lags. */
async function fetchRef(
  session: Session,
  verifier: BlockVerifier,
  { height, head, recent }: { height: number; head: BlockRef; recent: RecentBlocks },
): Promise<BlockRef | undefined> {
  const value = await requestHeader(session, height, { mustExist: false });
  if (value === null && height > head.height) return undefined;
  if (value === null) throw new EndpointFailure("missing", "lacks a block below the head");
  const found = verifier.acceptRef(value, session.endpoint);
  if (found.height !== height) throw new EndpointFailure("inconsistent", "returned another block");
  recent.set(height, value);
  return found;
}
