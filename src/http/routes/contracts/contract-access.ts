import { z } from "zod";
import { grantAccess, listGrants, revokeAccess } from "../../../domain/contracts/contract-access.ts";
import { Grant, GrantCreate } from "../../../wire/contracts/contracts.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Operation, operation } from "../../operation.ts";

const onContract = { who: "org", org: "active", role: "viewer", keys: true, resource: "contract" } as const;
/** API keys cannot manage access. */
const manager = { ...onContract, role: "admin", keys: false } as const;

/** The operations on access grants, part of the group of contracts. */
export const accessOperations: Operation[] = [
  operation({
    route: "GET /contracts/{contract_id}/access",
    id: "listContractAccess",
    hasLargeReply: true,
    summary: "List access grants",
    description:
      "Returns the members with access to a restricted contract; admins always have access. An empty list means that every member " +
      "has access, unless all grantees left the organisation: then the contract stays restricted to admins.",
    policy: onContract,
    reply: z.array(Grant),
    handle: ({ app, caller, params }) => listGrants(app, caller, params.contract_id),
  }),

  operation({
    route: "POST /contracts/{contract_id}/access",
    id: "grantContractAccess",
    summary: "Grant access to a contract",
    description:
      "The first grant restricts the contract to admins and grantees. Repeating it changes the role. Admins only.",
    policy: manager,
    body: GrantCreate,
    status: 201,
    reply: Grant,
    handle: ({ app, caller, params, body }) => grantAccess(app, caller, params.contract_id, body),
  }),

  operation({
    route: "DELETE /contracts/{contract_id}/access/{user_id}",
    id: "revokeContractAccess",
    summary: "Revoke access to a contract",
    description: "Removes the grant. Without grants, every member can see the contract again. Admins only.",
    policy: manager,
    reply: Ok,
    handle: ({ app, caller, params }) => revokeAccess(app, caller, params.contract_id, params.user_id),
  }),
];
