import type { Clock } from "../../lib/clock.ts";
import { type Random, uuidv7 } from "../../lib/random.ts";
import type { NewNotice, NoticeKind } from "../engine/alert-events.ts";

/** Builds the outbox row that notifies the recipients of an event about one change of it. */
export function newNotice(
  { clock, random }: { clock: Clock; random: Random },
  org_id: string,
  event_id: string,
  kind: NoticeKind,
  occurrence = 0,
): NewNotice {
  const created_at = clock.now();
  return { id: uuidv7(created_at, random), org_id, event_id, kind, occurrence, created_at };
}
