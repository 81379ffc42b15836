import type { Viewer } from "../store/viewer.ts";
import type { OrgCaller } from "./caller.ts";

/** Returns the viewer of a caller: admins see every contract of their org, keys those in their scope. */
export function viewerOf(caller: OrgCaller): Viewer {
  const { org_id } = caller;
  if (caller.kind === "api_key") {
    return { org_id, user_id: null, contract_scope: caller.contract_scope, chain_scope: caller.chain_scope };
  }
  const user_id = caller.role === "admin" ? null : caller.user_id;
  return { org_id, user_id, contract_scope: null, chain_scope: null };
}
