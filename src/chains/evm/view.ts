import type { Clock } from "../../lib/clock.ts";
import type { Mark } from "../reader.ts";
import { type BlockCheck, OddHeader } from "./block-check.ts";
import { readMark } from "./header.ts";
import { EndpointFailure } from "./rpc/failure.ts";
import type { Rpc } from "./rpc/rpc.ts";
import type { Session } from "./rpc/session.ts";

/** Through whose eyes the chain is seen: one endpoint for as long as it keeps up, so that its answers fit together. */
export type View = {
  head(): Promise<Mark>;
  mark(height: number): Promise<Mark | undefined>;
  /** The endpoint whose head was last shown. */
  endpoint(): number | undefined;
  /** The head that was last shown. */
  shown(): Mark | undefined;
};

type Seen = { endpoint: number; mark: Mark };

const surveyMs = 10_000;
/** An endpoint may be this far behind the furthest before another is looked through. */
const bearableLag = 2;

export function makeView(rpc: Rpc, check: BlockCheck, clock: Clock): View {
  let shown: Seen | undefined;
  let surveyedAt: number | undefined;

  const ask = (session: Session, block: string) =>
    session.request("eth_getBlockByNumber", [block, false], { mustExist: true });

  async function see(session: Session): Promise<Seen> {
    const { endpoint } = session;
    let value = await ask(session, "latest");
    const block = `0x${readMark(value).height.toString(16)}`;
    // The newest block is soon another, so what is odd about it has to be cleared up here and now.
    for (let again = 0; again < 2 && !isClear(value, endpoint); again++) value = await ask(session, block);
    return { endpoint, mark: check.acceptMark(value, endpoint) };
  }

  function isClear(value: unknown, endpoint: number): boolean {
    try {
      check.acceptMark(value, endpoint);
      return true;
    } catch (error) {
      if (error instanceof OddHeader) return false;
      throw error;
    }
  }

  async function survey(): Promise<Seen | undefined> {
    surveyedAt = clock.now().getTime();
    const all = await rpc.survey(see);
    const furthest = Math.max(...all.map(({ mark }) => mark.height));
    const fit = all.filter(({ mark }) => mark.height >= furthest - bearableLag);
    return (
      fit.find(({ endpoint }) => endpoint === shown?.endpoint) ??
      fit.find(({ mark }) => mark.height === furthest)
    );
  }

  function isSurveyDue(): boolean {
    if (rpc.endpoints < 2) return false;
    return surveyedAt === undefined || Math.abs(clock.now().getTime() - surveyedAt) >= surveyMs;
  }

  async function head(): Promise<Mark> {
    const surveyed = isSurveyDue() ? await survey() : undefined;
    const seen = surveyed ?? (await rpc.use(see, { prefer: shown?.endpoint }));
    // Another endpoint than before had to step in: it may lag, so the next look is at all of them.
    if (shown && seen.endpoint !== shown.endpoint && !surveyed) surveyedAt = undefined;
    shown = seen;
    return seen.mark;
  }

  /** No block below a head that was shown can be missing, so whoever lacks it lags. */
  async function mark(height: number): Promise<Mark | undefined> {
    const known = shown?.mark ?? (await head());
    return rpc.use(
      async (session) => {
        const value = await session.request("eth_getBlockByNumber", [`0x${height.toString(16)}`, false]);
        if (value === null && height > known.height) return undefined;
        if (value === null) throw new EndpointFailure("missing", "lacks a block below the head");
        const found = check.acceptMark(value, session.endpoint);
        if (found.height !== height) throw new EndpointFailure("inconsistent", "sent another block");
        return found;
      },
      { prefer: shown?.endpoint },
    );
  }

  return { head, mark, endpoint: () => shown?.endpoint, shown: () => shown?.mark };
}
