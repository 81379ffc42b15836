import type { Db } from "../store/open-store.ts";
import type { Role, Tier } from "../wire/primitives.ts";

/** The origin of a request, and its idempotency hook. */
export type RequestContext = {
  request_id: string | null;
  ip: string | null;
  /** Set if the request has an Idempotency-Key; stores the reply in the transaction of the effect. */
  saveReply?: (tx: Db, reply: unknown) => Promise<void>;
};

/** An anonymous caller, of a public operation or a mailed link. */
export type Anyone = { kind: "anyone"; context: RequestContext };

/** A user with a session. */
export type UserCaller = {
  kind: "user";
  user_id: string;
  session_id: string;
  email: string;
  name: string;
  context: RequestContext;
};

/** A user who acts for one org, with their role there. */
export type MemberCaller = UserCaller & { org_id: string; tier: Tier; role: Role };

/** A program that acts for an org with an API key, within its scope. */
export type KeyCaller = {
  kind: "api_key";
  key_id: string;
  name: string;
  /** Null: what a key creates belongs to no user. */
  user_id: null;
  org_id: string;
  tier: Tier;
  role: Role;
  scope: "read_only" | "read_write";
  contract_scope: string[] | null;
  chain_scope: number[] | null;
  context: RequestContext;
};

/** The operator at the command line, who acts for an org as an admin. */
export type OperatorCaller = {
  kind: "system";
  user_id: null;
  org_id: string;
  tier: Tier;
  role: Role;
  context: RequestContext;
};

/** A caller who acts for an org. */
export type OrgCaller = MemberCaller | KeyCaller | OperatorCaller;

/** A member of the platform staff. */
export type StaffCaller = {
  kind: "staff";
  staff_id: string;
  email: string;
  name: string;
  context: RequestContext;
};

/** The service itself or its operator at the command line. */
export type SystemCaller = { kind: "system"; context: RequestContext };

export type Caller = Anyone | UserCaller | OrgCaller | StaffCaller | SystemCaller;

export const systemCaller: SystemCaller = { kind: "system", context: { request_id: null, ip: null } };

const roleOrder: readonly Role[] = ["viewer", "member", "admin"];

export function hasRole(role: Role, wanted: Role): boolean {
  return roleOrder.indexOf(role) >= roleOrder.indexOf(wanted);
}
