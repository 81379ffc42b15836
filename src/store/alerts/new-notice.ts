import { type App, newId } from "../../app.ts";
import type { NewNotice, NoticeKind } from "../engine/alert-events.ts";

/** That people are to be told something of an alert, as it goes on record beside it. */
export function notice(
  app: App,
  org_id: string,
  event_id: string,
  kind: NoticeKind,
  occurrence = 0,
): NewNotice {
  return { id: newId(app), org_id, event_id, kind, occurrence, created_at: app.clock.now() };
}
