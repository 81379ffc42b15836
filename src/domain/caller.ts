import type { Db } from "../store/open-store.ts";
import type { Role, Tier } from "../wire/primitives.ts";

/** Where a request came from, and the answer it may have to keep. */
export type RequestContext = {
  request_id: string | null;
  ip: string | null;
  /** Present when the request carries an Idempotency-Key; keeps the answer in the transaction of the effect. */
  saveReply?: (tx: Db, reply: unknown) => Promise<void>;
};

/** Nobody in particular: what a link or a public operation may do. */
export type Anyone = { kind: "anyone"; context: RequestContext };

/** A person with a session. */
export type UserCaller = {
  kind: "user";
  user_id: string;
  session_id: string;
  email: string;
  name: string;
  context: RequestContext;
};

/** A person acting for one org, in the role they have there. */
export type MemberCaller = UserCaller & { org_id: string; tier: Tier; role: Role };

/** A machine acting for an org with a key, within what the key was made for. */
export type KeyCaller = {
  kind: "api_key";
  key_id: string;
  name: string;
  /** Nobody in particular: what a key makes was made by the org. */
  user_id: null;
  org_id: string;
  tier: Tier;
  role: Role;
  scope: "read_only" | "read_write";
  contract_scope: string[] | null;
  chain_scope: number[] | null;
  context: RequestContext;
};

/** The operator at the command line, acting for an org as an admin would. */
export type OperatorCaller = {
  kind: "system";
  user_id: null;
  org_id: string;
  tier: Tier;
  role: Role;
  context: RequestContext;
};

/** Whoever acts for an org. */
export type OrgCaller = MemberCaller | KeyCaller | OperatorCaller;

/** A member of the platform's staff. */
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
