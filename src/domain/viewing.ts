import type { Viewer } from "../store/viewer.ts";
import type { OrgCaller } from "./caller.ts";

/** Whose eyes the store is to look through for a caller: admins see every contract of their org. */
export function viewerOf(caller: OrgCaller): Viewer {
  return { org_id: caller.org_id, user_id: caller.role === "admin" ? null : caller.user_id };
}
