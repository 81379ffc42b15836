import { z } from "zod";
import * as contracts from "../../../domain/contracts/contracts.ts";
import { liveMetrics } from "../../../domain/contracts/live-metrics.ts";
import { bulkImport, itemsOf } from "../../../domain/imports/bulk-import.ts";
import { importDefender } from "../../../domain/imports/import-defender.ts";
import {
  Contract,
  ContractCreate,
  ContractsQuery,
  ContractUpdate,
} from "../../../wire/contracts/contracts.ts";
import { LiveMetric } from "../../../wire/contracts/live-metrics.ts";
import { BulkImport, BulkImportQuery, BulkImportResult } from "../../../wire/imports/bulk-import.ts";
import { DefenderImport, DefenderImportResult } from "../../../wire/imports/defender-import.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, listOperation, operation } from "../../operation.ts";
import { accessOperations } from "./contract-access.ts";
import { labelOperations } from "./labels.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const writer = { ...reader, role: "member" } as const;
const onContract = { ...reader, resource: "contract" } as const;
const changesContract = { ...writer, resource: "contract" } as const;

/** More values than a document of realistic length has. */
const importLimits = { bodyBytes: 5 * 1024 * 1024, bodyValues: 200_000, deadlineMs: 30_000 };
/** More values than an ABI of one mebibyte has. */
const abiLimits = { bodyValues: 60_000 };

export const contractGroup: Group = {
  tag: "Contracts",
  about: "Monitored contracts, their labels and access.",
  operations: [
    listOperation({
      route: "GET /contracts",
      id: "listContracts",
      hasLargeReply: true,
      summary: "List contracts",
      description:
        "Returns the contracts that the caller can see, newest first: all of them, or those that match every given filter.",
      policy: { ...reader, scope: "filtered" },
      query: ContractsQuery,
      reply: z.array(Contract),
      list: ({ app, caller, query }) => contracts.listContracts(app, caller, query),
    }),

    operation({
      route: "POST /contracts",
      id: "createContract",
      summary: "Create a contract",
      description:
        "Adds a contract to the organisation. With targets, monitoring starts with the next block; without, the contract is `PENDING`.",
      policy: writer,
      body: ContractCreate,
      limits: abiLimits,
      findIssues: ({ app, owner, fields }) => contracts.findContractIssues(app, owner, fields),
      touches: ({ body }) => [{ newContractOn: body.chain }],
      reply: Contract,
      errors: ["contract_exists", "quota_exceeded"],
      handle: ({ app, caller, body }) => contracts.createContract(app, caller, body),
    }),

    operation({
      route: "POST /contracts/bulk-import",
      id: "bulkImportContracts",
      hasLargeReply: true,
      summary: "Import contracts in bulk",
      description:
        "Creates contracts from a JSON array or CSV; CSV can also be the whole body, as `text/csv`. Each item is validated separately, also " +
        "one of another shape. Existing contracts are skipped; once the quota is exhausted, the remaining items are `not_reached`.",
      policy: writer,
      query: BulkImportQuery,
      body: BulkImport,
      acceptsCsv: true,
      limits: importLimits,
      touches: async ({ app, org_id, body }) =>
        (await itemsOf(app, org_id, body)).flatMap((item) =>
          "problem" in item ? [] : [{ newContractOn: item.chain }],
        ),
      reply: BulkImportResult,
      handle: ({ app, caller, body, query }) => bulkImport(app, caller, body, query),
    }),

    operation({
      route: "POST /contracts/import-from-defender",
      id: "importFromDefender",
      hasLargeReply: true,
      summary: "Import monitors from Defender",
      description:
        "Creates, per monitor, a contract for each address, a `tx_rate` target and one rule per channel, with the filters of the " +
        "monitor. Accepts four export formats. Unsupported features are reported as warnings. Repeated imports are idempotent.",
      policy: writer,
      body: DefenderImport,
      limits: importLimits,
      reply: DefenderImportResult,
      handle: ({ app, caller, body }) => importDefender(app, caller, body),
    }),

    operation({
      route: "GET /contracts/{contract_id}",
      id: "getContract",
      summary: "Get a contract",
      description: "Returns the contract with its labels and counts.",
      policy: onContract,
      reply: Contract,
      handle: ({ app, caller, params }) => contracts.getContract(app, caller, params.contract_id),
    }),

    operation({
      route: "PATCH /contracts/{contract_id}",
      id: "updateContract",
      summary: "Update a contract",
      description: "Changes the label, the category, or the ABI with which calls and events are decoded.",
      policy: changesContract,
      body: ContractUpdate,
      limits: abiLimits,
      reply: Contract,
      handle: ({ app, caller, params, body }) =>
        contracts.changeContract(app, caller, params.contract_id, body),
    }),

    operation({
      route: "DELETE /contracts/{contract_id}",
      id: "deleteContract",
      summary: "Delete a contract",
      description:
        "Deletes the contract with its targets and rules. Its past alerts remain visible to admins.",
      policy: changesContract,
      reply: Ok,
      handle: ({ app, caller, params }) => contracts.removeContract(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/pause",
      id: "pauseContract",
      summary: "Pause a contract",
      description: "Stops all measurement on the contract until it is resumed.",
      policy: changesContract,
      reply: Contract,
      handle: ({ app, caller, params }) => contracts.pauseContract(app, caller, params.contract_id),
    }),

    operation({
      route: "POST /contracts/{contract_id}/resume",
      id: "resumeContract",
      summary: "Resume a contract",
      description: "Resumes monitoring with the next block.",
      policy: changesContract,
      reply: Contract,
      handle: ({ app, caller, params }) => contracts.resumeContract(app, caller, params.contract_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/live-metrics",
      id: "getLiveMetrics",
      summary: "Get live metrics",
      description:
        "Returns, per target, the current value, the proximity to the nearest rule threshold, and the values of the last hour.",
      policy: onContract,
      reply: z.array(LiveMetric),
      handle: ({ app, caller, params }) => liveMetrics(app, caller, params.contract_id),
    }),

    ...labelOperations,
    ...accessOperations,
  ],
};
