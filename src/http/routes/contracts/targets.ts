import { z } from "zod";
import * as targets from "../../../domain/contracts/targets.ts";
import { Target, TargetCreate, TargetUpdate } from "../../../wire/contracts/contracts.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const changesTarget = { ...reader, role: "member", resource: "target" } as const;

export const targetGroup: Group = {
  tag: "Targets",
  about: "What is measured on a contract.",
  operations: [
    operation({
      route: "GET /contracts/{contract_id}/targets",
      id: "listTargets",
      summary: "List targets",
      description: "In the order in which they were made.",
      policy: { ...reader, resource: "contract" },
      reply: z.array(Target),
      handle: ({ app, caller, params }) => targets.listTargets(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/targets",
      id: "createTarget",
      summary: "Measure something",
      description:
        "Moves a `PENDING` contract to `MONITORING`. A type that a contract has only once is switched on and returned " +
        "when it is there already. A type that is not known is kept and shown as `unsupported`.",
      policy: { ...reader, role: "member", resource: "contract" },
      body: TargetCreate,
      status: 201,
      reply: Target,
      errors: ["quota_exceeded"],
      handle: ({ app, caller, params, body }) => targets.createTarget(app, caller, params.contract_id, body),
    }),

    operation({
      route: "PATCH /targets/{target_id}",
      id: "updateTarget",
      summary: "Change a target",
      description: "Its name, its config, or whether it is measured.",
      policy: changesTarget,
      body: TargetUpdate,
      reply: Target,
      handle: ({ app, caller, params, body }) => targets.changeTarget(app, caller, params.target_id, body),
    }),

    operation({
      route: "DELETE /targets/{target_id}",
      id: "deleteTarget",
      summary: "Remove a target",
      description: "The rules on it go with it.",
      policy: changesTarget,
      reply: Ok,
      handle: ({ app, caller, params }) => targets.removeTarget(app, caller, params.target_id),
    }),
  ],
};
