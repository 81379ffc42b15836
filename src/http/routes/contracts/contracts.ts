import { z } from "zod";
import { grantAccess, listGrants, revokeAccess } from "../../../domain/contracts/contract-access.ts";
import * as contracts from "../../../domain/contracts/contracts.ts";
import { createLabel, listLabels, removeLabel, replaceLabels } from "../../../domain/contracts/labels.ts";
import { liveMetrics } from "../../../domain/contracts/live-metrics.ts";
import { bulkImport, itemsOf } from "../../../domain/imports/bulk-import.ts";
import { importDefender } from "../../../domain/imports/import-defender.ts";
import {
  Contract,
  ContractCreate,
  ContractUpdate,
  Grant,
  GrantCreate,
  Label,
  LabelCreate,
  LabelsReplace,
} from "../../../wire/contracts/contracts.ts";
import { LiveMetric } from "../../../wire/contracts/live-metrics.ts";
import { BulkImport, BulkImportResult } from "../../../wire/imports/bulk-import.ts";
import { DefenderImport, DefenderImportResult } from "../../../wire/imports/defender-import.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const writer = { ...reader, role: "member" } as const;
const onContract = { ...reader, resource: "contract" } as const;
const changesContract = { ...writer, resource: "contract" } as const;
/** Who sees what is a matter of people. */
const manager = { ...reader, role: "admin", keys: false, resource: "contract" } as const;

export const contractGroup: Group = {
  tag: "Contracts",
  about: "What an organisation watches, its labels and who may see it.",
  operations: [
    operation({
      route: "GET /contracts",
      id: "listContracts",
      summary: "List contracts",
      description: "Those that the caller may see, newest first.",
      policy: { ...reader, scope: "filtered" },
      reply: z.array(Contract),
      handle: ({ app, caller }) => contracts.listContracts(app, caller),
    }),

    operation({
      route: "POST /contracts",
      id: "createContract",
      summary: "Watch a contract",
      description: "With targets chosen it is monitored from the next block on; without it is `PENDING`.",
      policy: writer,
      body: ContractCreate,
      touches: ({ body }) => [{ newContractOn: body.chain }],
      reply: Contract,
      errors: ["contract_exists", "quota_exceeded"],
      handle: ({ app, caller, body }) => contracts.createContract(app, caller, body),
    }),

    operation({
      route: "POST /contracts/bulk-import",
      id: "bulkImportContracts",
      summary: "Watch many contracts",
      description:
        "From a JSON array or pasted CSV. Each item is judged for itself; contracts that are watched already are skipped, and where " +
        "the quota ends the rest is said not to have been reached.",
      policy: writer,
      body: BulkImport,
      limits: { bodyBytes: 5 * 1024 * 1024, deadlineMs: 30_000 },
      touches: ({ body }) => itemsOf(body).map(({ chain }) => ({ newContractOn: chain })),
      reply: BulkImportResult,
      handle: ({ app, caller, body }) => bulkImport(app, caller, body),
    }),

    operation({
      route: "POST /contracts/import-from-defender",
      id: "importFromDefender",
      summary: "Take over Defender's monitors",
      description:
        "From a dump in any of four shapes. Each monitor becomes a contract for each of its addresses, a `tx_rate` target, and one rule " +
        "for each channel, with its filters on the rule. What cannot be taken over is a warning, never silent; importing the same " +
        "again adds nothing.",
      policy: writer,
      body: DefenderImport,
      limits: { bodyBytes: 5 * 1024 * 1024, deadlineMs: 30_000 },
      reply: DefenderImportResult,
      handle: ({ app, caller, body }) => importDefender(app, caller, body),
    }),

    operation({
      route: "GET /contracts/{contract_id}",
      id: "getContract",
      summary: "Get a contract",
      description: "With its labels and counts.",
      policy: onContract,
      reply: Contract,
      handle: ({ app, caller, params }) => contracts.getContract(app, caller, params.contract_id),
    }),

    operation({
      route: "PATCH /contracts/{contract_id}",
      id: "updateContract",
      summary: "Change a contract",
      description: "Its label, its category, or the ABI that its calls and events are read with.",
      policy: changesContract,
      body: ContractUpdate,
      reply: Contract,
      handle: ({ app, caller, params, body }) =>
        contracts.changeContract(app, caller, params.contract_id, body),
    }),

    operation({
      route: "DELETE /contracts/{contract_id}",
      id: "deleteContract",
      summary: "Stop watching a contract",
      description: "Its targets and rules go with it. Its past alerts stay, for admins to see.",
      policy: changesContract,
      reply: Ok,
      handle: ({ app, caller, params }) => contracts.removeContract(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/pause",
      id: "pauseContract",
      summary: "Pause a contract",
      description: "Nothing is measured until it is resumed.",
      policy: changesContract,
      reply: Contract,
      handle: ({ app, caller, params }) => contracts.pauseContract(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/resume",
      id: "resumeContract",
      summary: "Resume a contract",
      description: "Monitoring goes on with the next block.",
      policy: changesContract,
      reply: Contract,
      handle: ({ app, caller, params }) => contracts.resumeContract(app, caller, params.contract_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/live-metrics",
      id: "getLiveMetrics",
      summary: "See what is measured now",
      description:
        "Value, nearness to the nearest rule's threshold and the last hour as a line, for each target.",
      policy: onContract,
      reply: z.array(LiveMetric),
      handle: ({ app, caller, params }) => liveMetrics(app, caller, params.contract_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/labels",
      id: "listLabels",
      summary: "List labels",
      description: "In the order in which they were made.",
      policy: onContract,
      reply: z.array(Label),
      handle: ({ app, caller, params }) => listLabels(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/labels",
      id: "createLabel",
      summary: "Add a label",
      description: "At most 20 on a contract, each once whatever its case.",
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
      description: "The contract has these labels afterwards and no others.",
      policy: changesContract,
      body: LabelsReplace,
      reply: z.array(Label),
      handle: ({ app, caller, params, body }) => replaceLabels(app, caller, params.contract_id, body.labels),
    }),

    operation({
      route: "DELETE /contracts/{contract_id}/labels/{label_id}",
      id: "deleteLabel",
      summary: "Remove a label",
      description: "404 when the contract does not have it.",
      policy: changesContract,
      reply: Ok,
      handle: ({ app, caller, params }) => removeLabel(app, caller, params.contract_id, params.label_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/access",
      id: "listContractAccess",
      summary: "List who may see a contract",
      description:
        "Admins and those listed. Empty means every member, unless whoever was listed has left the organisation: that opens the " +
        "contract to nobody.",
      policy: onContract,
      reply: z.array(Grant),
      handle: ({ app, caller, params }) => listGrants(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/access",
      id: "grantContractAccess",
      summary: "Let a member see a contract",
      description:
        "The first grant hides the contract from everybody but admins and those granted. Again: changes the role.",
      policy: manager,
      body: GrantCreate,
      status: 201,
      reply: Grant,
      handle: ({ app, caller, params, body }) => grantAccess(app, caller, params.contract_id, body),
    }),

    operation({
      route: "DELETE /contracts/{contract_id}/access/{user_id}",
      id: "revokeContractAccess",
      summary: "Take access away",
      description: "When the last grant goes, every member sees the contract again.",
      policy: manager,
      reply: Ok,
      handle: ({ app, caller, params }) => revokeAccess(app, caller, params.contract_id, params.user_id),
    }),
  ],
};
