import { newId } from "../../app.ts";
import type { BlockRef } from "../../chains/reader.ts";
import { makePause } from "../../lib/concurrency/pauses.ts";
import { addToChangeSet, emptyChangeSet } from "../commit/change-set.ts";
import { commit } from "../commit/commit.ts";
import { evaluate } from "../evaluate/evaluate.ts";
import { nothingMeasured } from "../measure/measure-activity.ts";
import { applySettledPolls } from "../measure/measure-state.ts";
import { addCauses, amendLater } from "./add-causes.ts";
import { type ChainState, finalityAt, type Lease, type Parts } from "./apply-batch.ts";
import { recordReadings } from "./apply-block.ts";

/** Applies state that was read late while there is no new block: rules are evaluated once more at the cursor. */
export async function applyLateState(
  { app, chain, reader, partitions, auxiliary }: Parts,
  { engine, cursor }: ChainState,
  head: BlockRef,
  lease: Lease,
): Promise<void> {
  const changes = emptyChangeSet();
  const measured = nothingMeasured();
  const problems = applySettledPolls({ engine, block: cursor, measured }, auxiliary.polls);
  const evaluations = await evaluate(engine, cursor, measured, makePause());
  await addToChangeSet(
    changes,
    { ...cursor, parent_hash: "" },
    { samples: measured.samples, evaluations },
    {
      makeId: () => newId(app),
      now: () => app.clock.now(),
      setState: (key, state) => engine.states.set(key, state),
    },
  );
  recordReadings(engine, changes, { measured, problems });
  auxiliary.startCommit();
  const late = await addCauses(auxiliary.causes, changes, auxiliary.causePatience);
  await partitions.ensure(
    app,
    changes.samples.map(({ time }) => time),
  );
  const reached = await finalityAt(chain, reader, head);
  // The block of the cursor is stored already.
  const ids = await commit(app, {
    chain: chain.chain,
    changes: { ...changes, blocks: [] },
    cursor,
    lease,
    reached,
  });
  engine.states.renameEvents(ids);
  void amendLater(app, late, ids);
}
