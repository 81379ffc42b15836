import { insertEvents, insertNotices, type NewEvent } from "../../src/store/engine/alert-events.ts";
import { freshId } from "../api/contracts/contract-steps.ts";
import { fire, type Household, type World } from "./world.ts";

/** Inserts very many events of one home, each in another block, with their notices, in bulk. `explanation` replaces that of a usual event. */
export async function fireMany(
  world: World,
  home: Household,
  total: number,
  explanation?: object,
): Promise<void> {
  const { h } = world;
  const id = await fire(world, home);
  if (explanation)
    await h.app.db
      .updateTable("alert_events")
      .set({ explanation: JSON.stringify(explanation) })
      .where("id", "=", id)
      .execute();
  const event = await h.app.db
    .selectFrom("alert_events")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const now = h.clock.now();
  const events = Array.from({ length: total - 1 }, (_, index): NewEvent => {
    const own = freshId();
    const block_number = String(Number(event.block_number) + index + 1);
    return {
      ...event,
      id: own,
      observation: own,
      block_number,
      explanation: JSON.stringify(event.explanation),
    };
  });
  for (let start = 0; start < events.length; start += 1_000) {
    const some = events.slice(start, start + 1_000);
    await insertEvents(h.app.db, some);
    const notice = (event_id: string) => ({
      id: freshId(),
      org_id: home.owner.org_id,
      event_id,
      created_at: now,
    });
    await insertNotices(
      h.app.db,
      some.map((one) => ({ ...notice(one.id), kind: "fired" as const, occurrence: 0 })),
    );
  }
}
