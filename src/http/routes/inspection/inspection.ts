import { getBridgeConfig } from "../../../domain/inspection/bridge-config.ts";
import { chainRequestLimits } from "../../../domain/inspection/chain-access.ts";
import { analyseContract } from "../../../domain/inspection/contract-analysis.ts";
import { inspectAddress } from "../../../domain/inspection/inspection.ts";
import { getProxyState } from "../../../domain/inspection/proxy-state.ts";
import { BridgeConfig } from "../../../wire/inspection/bridge-config.ts";
import {
  ContractAnalysis,
  Inspection,
  InspectRequest,
  ProxyState,
} from "../../../wire/inspection/inspection.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true } as const;
const onContract = { ...reader, resource: "contract" } as const;

export const inspectionGroup: Group = {
  tag: "Inspection",
  about: "What contracts are, who can change them and what they rely on, read live from the chain.",
  operations: [
    operation({
      route: "POST /contracts/inspect",
      id: "inspectContract",
      summary: "Find out what stands at an address",
      description:
        "Its code and what is behind a proxy, its ABI, what kind of contract it is and why, and what to watch on it. Writes nothing. A source that does not answer is named in `sources`.",
      policy: reader,
      body: InspectRequest,
      touches: ({ body }) => [{ newContractOn: body.chain }],
      limits: chainRequestLimits,
      reply: Inspection,
      errors: ["chain_unavailable"],
      handle: ({ app, body }) => inspectAddress(app, body),
    }),

    operation({
      route: "GET /contracts/{contract_id}/analysis",
      id: "analyseContract",
      summary: "Analyse a contract",
      description:
        "Who can change it and how, the standards it keeps, what it relies on, and what to watch because of it.",
      policy: onContract,
      limits: chainRequestLimits,
      reply: ContractAnalysis,
      errors: ["chain_unavailable"],
      handle: ({ app, caller, params }) => analyseContract(app, caller, params.contract_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/proxy-state",
      id: "getProxyState",
      summary: "Read a proxy's slots",
      description:
        "Implementation, admin and beacon as they are now, who is behind the admin, and how they changed. At most ten seconds old.",
      policy: onContract,
      limits: chainRequestLimits,
      reply: ProxyState,
      errors: ["chain_unavailable"],
      handle: ({ app, caller, params }) => getProxyState(app, caller, params.contract_id),
    }),

    operation({
      route: "GET /contracts/{contract_id}/bridge-config",
      id: "getBridgeConfig",
      summary: "See who verifies a bridge's messages",
      description:
        "The LayerZero V2 routes of the contract, both ways, each with the risk of the side that receives. Empty where the contract is no such app, or where the organisation's bridge detection is off.",
      policy: onContract,
      limits: chainRequestLimits,
      reply: BridgeConfig,
      errors: ["chain_unavailable"],
      handle: ({ app, caller, params }) => getBridgeConfig(app, caller, params.contract_id),
    }),
  ],
};
