import { z } from "zod";
import { createLabel, listLabels, removeLabel, replaceLabels } from "../../../domain/contracts/labels.ts";
import { Label, LabelCreate, LabelsReplace } from "../../../wire/contracts/contracts.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Operation, operation } from "../../operation.ts";

const onContract = { who: "org", org: "active", role: "viewer", keys: true, resource: "contract" } as const;
const changesContract = { ...onContract, role: "member" } as const;

/** The operations on labels, part of the group of contracts. */
export const labelOperations: Operation[] = [
  operation({
    route: "GET /contracts/{contract_id}/labels",
    id: "listLabels",
    summary: "List labels",
    description: "Returns the labels in order of creation.",
    policy: onContract,
    reply: z.array(Label),
    handle: ({ app, caller, params }) => listLabels(app, caller, params.contract_id),
  }),

  operation({
    route: "POST /contracts/{contract_id}/labels",
    id: "createLabel",
    summary: "Add a label",
    description: "A contract has at most 20 labels, unique regardless of case.",
    policy: changesContract,
    body: LabelCreate,
    status: 201,
    reply: Label,
    errors: ["label_exists", "quota_exceeded"],
    handle: ({ app, caller, params, body }) => createLabel(app, caller, params.contract_id, body),
  }),

  operation({
    route: "PUT /contracts/{contract_id}/labels",
    id: "replaceLabels",
    summary: "Replace all labels",
    description: "Replaces the labels of the contract with the given set.",
    policy: changesContract,
    body: LabelsReplace,
    reply: z.array(Label),
    handle: ({ app, caller, params, body }) => replaceLabels(app, caller, params.contract_id, body.labels),
  }),

  operation({
    route: "DELETE /contracts/{contract_id}/labels/{label_id}",
    id: "deleteLabel",
    summary: "Remove a label",
    description: "Removes the label from the contract. Responds with 404 if the contract does not have it.",
    policy: changesContract,
    reply: Ok,
    handle: ({ app, caller, params }) => removeLabel(app, caller, params.contract_id, params.label_id),
  }),
];
