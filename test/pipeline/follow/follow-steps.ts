import { sql } from "kysely";
import type { Follower } from "../../../src/pipeline/follow/follower.ts";
import type { Harness } from "../../support/harness.ts";
import { atLeast, freshWorld, transferSignature, transfers, type World } from "../world.ts";

export const amounts = {
  target_type: "event_value",
  config: { event_signature: transferSignature, arg: "value" },
};

export const high = { operator: "gt", threshold: 10, aggregation: "last", window_seconds: 600 };

export const statuses = async (world: World) => (await world.events()).map((event) => event.status);

export async function catchUp(follower: Follower) {
  while ((await follower.step()) !== "idle");
}

/** The path of the contract that was created last. */
export async function contractPath(world: World): Promise<string> {
  const contracts = (await world.owner.client.get("/contracts")).body as { id: string }[];
  return `/contracts/${contracts.at(-1)?.id}`;
}

/** Steps that read and change the state of a service's engines. */
export function makeFollowSteps(h: Harness) {
  const samples = async () =>
    (
      await h.app.db
        .selectFrom("samples")
        .select(["series_id", "height", "value"])
        .orderBy("height")
        .execute()
    ).map(({ height, value }) => [Number(height), value]);

  const leaseRunsOut = () =>
    h.app.db
      .updateTable("chain_leases")
      .set({ expires_at: new Date(0) })
      .execute();

  const isHeld = async () =>
    (await sql`select 1 from chain_leases where expires_at >= clock_timestamp()`.execute(h.app.db)).rows
      .length > 0;

  const progress = () => h.app.db.selectFrom("chain_cursors").selectAll().executeTakeFirstOrThrow();

  async function watching(target: object = transfers, condition: object = atLeast(1), more: object = {}) {
    await h.app.db.deleteFrom("samples").execute();
    const world = await freshWorld(h);
    const target_id = await world.watch(target as typeof transfers);
    const rule = await world.rule(target_id, condition, more);
    await world.catchUp();
    return { world, target_id, rule };
  }

  return { samples, leaseRunsOut, isHeld, progress, watching };
}
