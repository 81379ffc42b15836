import { z } from "zod";
import * as policies from "../../../domain/alerts/policies/policies.ts";
import { Policy, PolicyCreate, PolicyUpdate } from "../../../wire/alerts/policies.ts";
import { PageQuery } from "../../../wire/paging.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, listOperation, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const writer = { ...reader, role: "member" } as const;

export const policyGroup: Group = {
  tag: "Policies",
  about:
    "One definition of a target and a rule for many contracts. A policy keeps them on every contract that its selector matches, now and later.",
  operations: [
    listOperation({
      route: "GET /policies",
      id: "listPolicies",
      hasLargeReply: true,
      summary: "List policies",
      description:
        "Returns the policies of the organisation by name, with their progress over the contracts that the caller can see.",
      policy: reader,
      query: PageQuery,
      reply: z.array(Policy),
      list: ({ app, caller, query }) => policies.listPolicies(app, caller, query),
    }),

    operation({
      route: "POST /policies",
      id: "createPolicy",
      summary: "Create a policy",
      description:
        "Creates a policy, which is applied in the background; `progress` shows how far. It covers contracts that the caller may change, " +
        "including those that match later. A suitable target is used, or else one is created. An organisation can " +
        "have 100 policies; their names are unique. The quotas of rules and targets apply; contracts beyond them are listed as failures and " +
        "tried again when there is quota left.",
      policy: writer,
      body: PolicyCreate,
      status: 201,
      reply: Policy,
      errors: ["quota_exceeded", "policy_exists"],
      handle: ({ app, caller, body }) => policies.createPolicy(app, caller, body),
    }),

    operation({
      route: "GET /policies/{policy_id}",
      id: "getPolicy",
      summary: "Get a policy",
      description: "Returns the policy with its progress over the contracts that the caller can see.",
      policy: reader,
      reply: Policy,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => policies.getPolicy(app, caller, params.policy_id),
    }),

    operation({
      route: "PATCH /policies/{policy_id}",
      id: "updatePolicy",
      summary: "Update a policy",
      description:
        "Replaces the given fields; the rules are changed in the background. Another target replaces the rules, which ends their open " +
        "events. From then on the policy is for contracts that the caller may change. A policy with rules on contracts that the " +
        "caller may not change is changed by an admin. A disabled policy has no rules.",
      policy: writer,
      body: PolicyUpdate,
      reply: Policy,
      errors: ["not_found", "role_required", "policy_exists"],
      handle: ({ app, caller, params, body }) => policies.changePolicy(app, caller, params.policy_id, body),
    }),

    operation({
      route: "DELETE /policies/{policy_id}",
      id: "deletePolicy",
      summary: "Delete a policy",
      description:
        "Deletes the policy. Its rules are removed in the background and their open events end; so are targets that it created and " +
        "no other rule uses. A policy with rules on contracts that the caller may not change is deleted by an admin.",
      policy: writer,
      reply: Ok,
      errors: ["not_found", "role_required"],
      handle: ({ app, caller, params }) => policies.removePolicy(app, caller, params.policy_id),
    }),
  ],
};
