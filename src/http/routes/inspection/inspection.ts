import { getBridgeConfig } from "../../../domain/inspection/bridge-config.ts";
import { chainRequestLimits } from "../../../domain/inspection/chain-access.ts";
import { analyseContract } from "../../../domain/inspection/contract-analysis.ts";
import { findAddressIssues, inspectAddress } from "../../../domain/inspection/inspection.ts";
import { getProxyState } from "../../../domain/inspection/proxy-state.ts";
import { BridgeConfig } from "../../../wire/inspection/bridge-config.ts";
import { ContractAnalysis } from "../../../wire/inspection/contract-analysis.ts";
import { Inspection, InspectRequest } from "../../../wire/inspection/inspection.ts";
import { ProxyState } from "../../../wire/inspection/proxy-state.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const onContract = { ...reader, resource: "contract" } as const;

export const inspectionGroup: Group = {
  tag: "Inspection",
  about: "Type, privileges and dependencies of contracts, read live from the chain.",
  operations: [
    operation({
      route: "POST /contracts/inspect",
      id: "inspectContract",
      hasLargeReply: true,
      summary: "Inspect an address",
      description:
        "Reads code, proxy chain, ABI and token metadata of an address, classifies the contract and recommends targets. Stores nothing. `sources` lists the sources that did not respond.",
      policy: reader,
      body: InspectRequest,
      findIssues: ({ app, fields }) => findAddressIssues(app, fields),
      touches: ({ body }) => [{ newContractOn: body.chain }],
      limits: chainRequestLimits,
      reply: Inspection,
      errors: ["chain_unavailable"],
      handle: ({ app, caller, body }) => inspectAddress(app, caller, body),
    }),

    operation({
      route: "GET /contracts/{contract_id}/analysis",
      id: "analyseContract",
      summary: "Analyse a contract",
      description:
        "Returns who can change the contract and how, the standards that it implements, its dependencies, and findings with recommended targets.",
      policy: onContract,
      limits: chainRequestLimits,
      reply: ContractAnalysis,
      errors: ["chain_unavailable"],
      handle: ({ app, caller, params }) => analyseContract(app, caller, params.contract_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/proxy-state",
      id: "getProxyState",
      summary: "Get the proxy state of a contract",
      description:
        "Returns the current implementation, admin and beacon, the owner of the admin, and their history. Results are cached for ten seconds.",
      policy: onContract,
      limits: chainRequestLimits,
      reply: ProxyState,
      errors: ["chain_unavailable"],
      handle: ({ app, caller, params }) => getProxyState(app, caller, params.contract_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/bridge-config",
      id: "getBridgeConfig",
      summary: "Get the bridge configuration of a contract",
      description:
        "Returns the LayerZero V2 routes of the contract in both directions, each with the risk level of its receiving side. Empty if the contract is not a LayerZero application, or if bridge detection is disabled for the organisation.",
      policy: onContract,
      limits: chainRequestLimits,
      reply: BridgeConfig,
      errors: ["chain_unavailable"],
      handle: ({ app, caller, params }) => getBridgeConfig(app, caller, params.contract_id),
    }),
  ],
};
