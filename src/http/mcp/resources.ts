import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from "@modelcontextprotocol/server";
import type { AlertEvent } from "../../wire/alerts/alert-events.ts";
import type { Contract } from "../../wire/contracts/contracts.ts";
import type { Call, CallReply } from "./call-operation.ts";
import { findOperation } from "./find-operation.ts";
import { problemOf } from "./results.ts";

const mimeType = "application/json";
/** Contracts on a page of the list. */
const contractsPerPage = 50;
/** The newest events are on the first page; `search_history` finds the others. */
const listedEvents = 20;

export const resourceTemplates = [
  {
    name: "contract",
    title: "Contract",
    uriTemplate: "tocsin://contracts/{contract_id}",
    description: "A monitored contract with its labels and counts.",
    mimeType,
  },
  {
    name: "event",
    title: "Alert event",
    uriTemplate: "tocsin://events/{event_id}",
    description: "An alert with its explanation and deliveries.",
    mimeType,
  },
];

/** Lists the contracts by page, after the newest events. */
export async function listResources(call: Call, cursor: string | undefined): Promise<ListResourcesResult> {
  const page = { limit: contractsPerPage, ...(cursor !== undefined && { cursor }) };
  const contracts = requireSuccess(await call(findOperation("listContracts"), page));
  const events =
    cursor === undefined
      ? requireSuccess(await call(findOperation("listAlertHistory"), { limit: listedEvents })).body
      : [];
  return {
    resources: [
      ...(events as AlertEvent[]).map((event) => ({
        uri: `tocsin://events/${event.id}`,
        name: event.title,
        description: `${event.severity}, ${event.status}, ${event.fired_at}`,
        mimeType,
      })),
      ...(contracts.body as Contract[]).map((contract) => ({
        uri: `tocsin://contracts/${contract.id}`,
        name: contract.label ?? contract.address,
        description: `${contract.address} on ${contract.chain}`,
        mimeType,
      })),
    ],
    ...(contracts.next && { nextCursor: contracts.next }),
  };
}

const readers: Record<string, (id: string) => [operation: string, args: Record<string, string>]> = {
  contracts: (contract_id) => ["getContract", { contract_id }],
  events: (event_id) => ["getAlertEvent", { event_id }],
};

export async function readResource(call: Call, uri: string): Promise<ReadResourceResult> {
  const [, kind = "", id = ""] = /^tocsin:\/\/(contracts|events)\/([^/?#]+)$/.exec(uri) ?? [];
  const reader = readers[kind]?.(id);
  if (!reader) throw notFound(`There is no resource ${uri}. Use ${templates}.`);
  const { body } = requireSuccess(await call(findOperation(reader[0]), reader[1]));
  return { contents: [{ uri, mimeType, text: JSON.stringify(body) }] };
}

const templates = resourceTemplates.map(({ uriTemplate }) => uriTemplate).join(" or ");

/** The protocol counts an unknown resource among the invalid parameters. */
function notFound(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function requireSuccess(reply: CallReply): CallReply {
  if (reply.status < 400) return reply;
  const message = problemOf(reply.body);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  throw new ProtocolError(reply.status < 500 ? InvalidParams : InternalError, message);
}
