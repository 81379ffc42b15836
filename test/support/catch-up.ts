import type { Follower } from "../../src/pipeline/follow/follower.ts";

/** Steps until the engine is idle. Returns what it did. */
export async function catchUp(follower: Follower): Promise<string[]> {
  const done: string[] = [];
  const isDone = async (progress: string) => {
    if (progress !== "idle") return false;
    const wasReading = follower.isReadingState;
    if (wasReading) await follower.waitForWork(AbortSignal.timeout(30_000));
    return !wasReading;
  };
  for (let progress = await follower.step(); !(await isDone(progress)); progress = await follower.step()) {
    if (progress === "idle") continue;
    done.push(progress);
    if (progress === "standby") throw new Error("another engine holds the chain");
    if (done.length > 100) throw new Error("the engine never becomes idle");
  }
  return done;
}
