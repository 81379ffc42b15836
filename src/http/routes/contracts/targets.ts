import { z } from "zod";
import { findTargetIssues } from "../../../domain/contracts/target-config.ts";
import { targetSeries } from "../../../domain/contracts/target-series.ts";
import { listTargetTypes } from "../../../domain/contracts/target-types.ts";
import * as targets from "../../../domain/contracts/targets.ts";
import { TargetSeries, TargetSeriesQuery } from "../../../wire/contracts/target-series.ts";
import { TargetTypeInfo } from "../../../wire/contracts/target-types.ts";
import { Target, TargetCreate, TargetUpdate } from "../../../wire/contracts/targets.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const changesTarget = { ...reader, role: "member", resource: "target" } as const;

export const targetGroup: Group = {
  tag: "Targets",
  about: "Metrics that are measured on contracts.",
  operations: [
    operation({
      route: "GET /target-types",
      id: "listTargetTypes",
      summary: "List target types",
      description:
        "Returns every target type with the schema of its config, its unit, the chain families on which it exists, the default " +
        "aggregation of its rules, what it makes the engine read of the chain, what that costs in calls to the nodes, and an " +
        "example. Needs no authentication.",
      policy: { who: "anyone" },
      reply: z.array(TargetTypeInfo),
      handle: async () => listTargetTypes(),
    }),

    operation({
      route: "GET /contracts/{contract_id}/targets",
      id: "listTargets",
      hasLargeReply: true,
      summary: "List targets",
      description: "Returns the targets of the contract in order of creation.",
      policy: { ...reader, resource: "contract" },
      reply: z.array(Target),
      handle: ({ app, caller, params }) => targets.listTargets(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/targets",
      id: "createTarget",
      summary: "Create a target",
      description:
        "Moves a `PENDING` contract to `MONITORING`. If the type is unique per contract and exists, the existing target is " +
        "enabled and returned; with another config, the reply is 409 `target_exists`. An unknown type is stored and reported as `unsupported`.",
      policy: { ...reader, role: "member", resource: "contract" },
      body: TargetCreate,
      findIssues: async ({ fields }) => findTargetIssues(fields),
      status: 201,
      reply: Target,
      errors: ["quota_exceeded", "target_exists"],
      handle: ({ app, caller, params, body }) => targets.createTarget(app, caller, params.contract_id, body),
    }),

    operation({
      route: "GET /targets/{target_id}",
      id: "getTarget",
      summary: "Get a target",
      description: "Returns the target with its status and its last value.",
      policy: { ...reader, resource: "target" },
      reply: Target,
      handle: ({ app, caller, params }) => targets.getTarget(app, caller, params.target_id),
    }),

    operation({
      route: "GET /targets/{target_id}/series",
      id: "getTargetSeries",
      summary: "Get the values of a target over time",
      description:
        "Returns the values of the target in a time range, each aggregated over a window as a rule would evaluate it.",
      policy: { ...reader, resource: "target" },
      query: TargetSeriesQuery,
      reply: TargetSeries,
      errors: ["not_found"],
      handle: ({ app, caller, params, query }) => targetSeries(app, caller, params.target_id, query),
    }),

    operation({
      route: "PATCH /targets/{target_id}",
      id: "updateTarget",
      summary: "Update a target",
      description:
        "Changes the name, the config, or whether the target is measured. A target that is used by conditions of rules on other " +
        "targets cannot be disabled: 409 `target_in_use`. If a policy has a rule on it, its config cannot be changed either. A target " +
        "that a policy created is changed through the policy: 409 `managed_by_policy`.",
      policy: changesTarget,
      body: TargetUpdate,
      reply: Target,
      errors: ["target_in_use", "managed_by_policy"],
      handle: ({ app, caller, params, body }) => targets.changeTarget(app, caller, params.target_id, body),
    }),

    operation({
      route: "DELETE /targets/{target_id}",
      id: "deleteTarget",
      summary: "Delete a target",
      description:
        "Deletes the target with its rules. If policies, or conditions of rules on other targets, use it, the reply is 409 " +
        "`target_in_use` with their names. A target that a policy created is removed through the policy: 409 `managed_by_policy`.",
      policy: changesTarget,
      reply: Ok,
      errors: ["target_in_use", "managed_by_policy"],
      handle: ({ app, caller, params }) => targets.removeTarget(app, caller, params.target_id),
    }),
  ],
};
