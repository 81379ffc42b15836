import type { Clock } from "../../../lib/clock.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import type { Rpc } from "../../rpc/rpc.ts";
import type { Session } from "../../rpc/session.ts";
import { type BlockVerifier, UnverifiableHeader } from "../blocks/block-check.ts";
import { asEndpointFailure } from "../blocks/fetch-context.ts";
import { readBlockRef } from "../blocks/header.ts";
import { commonBranch } from "./common-branch.ts";

/** Through whose eyes the chain is seen: one endpoint for as long as it keeps up, so that its answers fit together. */
export type HeadTracker = {
  head(): Promise<BlockRef>;
  ref(height: number): Promise<BlockRef | undefined>;
  /** The endpoint whose head was last shown. */
  endpoint(): number | undefined;
  /** The head that was last shown. */
  shown(): BlockRef | undefined;
  /** That endpoints show different chains, in a sentence; undefined while they do not. */
  trouble(): string | undefined;
};

type Seen = { endpoint: number; ref: BlockRef };

const surveyMs = 10_000;
/** An endpoint may be this far behind the furthest before another is looked through. */
const maxLagBlocks = 2;
/** So far below the head, endpoints that follow the same chain have the same block. */
const commonDepth = 3;

export function makeHeadTracker(rpc: Rpc, check: BlockVerifier, clock: Clock): HeadTracker {
  let shown: Seen | undefined;
  let surveyedAt: number | undefined;
  /** Endpoints that showed another chain than the others when they were last compared. */
  let dissenting = new Set<number>();

  const ask = (session: Session, block: string, mustExist = true) =>
    session.request("eth_getBlockByNumber", [block, false], { mustExist }).catch((error: unknown) => {
      throw asEndpointFailure(error);
    });

  async function see(session: Session): Promise<Seen> {
    const { endpoint } = session;
    let value = await ask(session, "latest");
    const block = `0x${readBlockRef(value).height.toString(16)}`;
    // The newest block is soon another, so what is odd about it has to be cleared up here and now.
    for (let again = 0; again < 2 && !isClear(value, endpoint); again++) value = await ask(session, block);
    return { endpoint, ref: check.acceptRef(value, endpoint) };
  }

  function isClear(value: unknown, endpoint: number): boolean {
    try {
      check.acceptRef(value, endpoint);
      return true;
    } catch (error) {
      if (error instanceof UnverifiableHeader) return false;
      throw error;
    }
  }

  async function survey(): Promise<Seen | undefined> {
    surveyedAt = clock.now().getTime();
    // Compared before anything is said of lagging: next to a chain that is made up, the real one may look far behind.
    const all = await agreeing(await rpc.survey(see));
    const furthest = Math.max(...all.map(({ ref }) => ref.height));
    const fit = all.filter(({ ref }) => ref.height >= furthest - maxLagBlocks);
    return (
      fit.find(({ endpoint }) => endpoint === shown?.endpoint) ??
      fit.find(({ ref }) => ref.height === furthest)
    );
  }

  /** One endpoint alone may make a chain up; it is believed only where no other that answers shows something else. */
  async function agreeing(seen: Seen[]): Promise<Seen[]> {
    if (seen.length < 2) return seen;
    const height = Math.max(0, Math.min(...seen.map(({ ref }) => ref.height)) - commonDepth);
    const block = `0x${height.toString(16)}`;
    const hashes = await rpc.survey(async (session) => {
      const { hash } = readBlockRef(await ask(session, block));
      return [session.endpoint, hash] as const;
    });
    const settled = new Map(hashes);
    const all = seen.map((one) => ({ ...one, settled: settled.get(one.endpoint) }));
    const common = commonBranch(all, shown?.endpoint);
    dissenting = new Set(common.dissenting);
    return common.agreed;
  }

  async function seeTrusted(session: Session): Promise<Seen> {
    refuseDissenting(session);
    return see(session);
  }

  function refuseDissenting({ endpoint }: Session): void {
    if (dissenting.has(endpoint))
      throw new EndpointFailure("inconsistent", "shows another chain than others");
  }

  function isSurveyDue(): boolean {
    if (rpc.endpoints < 2) return false;
    return surveyedAt === undefined || Math.abs(clock.now().getTime() - surveyedAt) >= surveyMs;
  }

  async function head(): Promise<BlockRef> {
    const surveyed = isSurveyDue() ? await survey() : undefined;
    const seen = surveyed ?? (await rpc.use(seeTrusted, { prefer: shown?.endpoint }));
    // Another endpoint than before had to step in: it may lag, so the next look is at all of them.
    if (shown && seen.endpoint !== shown.endpoint && !surveyed) surveyedAt = undefined;
    shown = seen;
    return seen.ref;
  }

  /** No block below a head that was shown can be missing, so whoever lacks it lags. */
  async function ref(height: number): Promise<BlockRef | undefined> {
    const known = shown?.ref ?? (await head());
    return rpc.use(
      async (session) => {
        refuseDissenting(session);
        const value = await ask(session, `0x${height.toString(16)}`, false);
        if (value === null && height > known.height) return undefined;
        if (value === null) throw new EndpointFailure("missing", "lacks a block below the head");
        const found = check.acceptRef(value, session.endpoint);
        if (found.height !== height) throw new EndpointFailure("inconsistent", "sent another block");
        return found;
      },
      { prefer: shown?.endpoint },
    );
  }

  function trouble(): string | undefined {
    if (dissenting.size === 0) return undefined;
    return `${dissenting.size} of ${rpc.endpoints} endpoints show another chain than the one that is followed.`;
  }

  return { head, ref, endpoint: () => shown?.endpoint, shown: () => shown?.ref, trouble };
}
