import { z } from "zod";
import {
  getDiscovery,
  listDiscoveries,
  listDiscoveryChains,
  startDiscovery,
} from "../../../domain/imports/discoveries.ts";
import { importDiscovery } from "../../../domain/imports/import-discovery.ts";
import { ChainInfo } from "../../../wire/contracts/contracts.ts";
import {
  DiscoveryCreate,
  DiscoveryImport,
  DiscoveryImportResult,
  WalletDiscovery,
} from "../../../wire/imports/discoveries.ts";
import { type Group, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "filtered" } as const;
const writer = { who: "org", org: "active", role: "member", keys: true } as const;

export const discoveryGroup: Group = {
  tag: "Wallet discovery",
  about: "Finds the contracts that a wallet has to do with.",
  operations: [
    operation({
      route: "GET /wallet-discoveries/_chains",
      id: "listDiscoveryChains",
      summary: "Chains to look on",
      description: "The EVM chains that run here.",
      policy: { ...reader, scope: "unrelated" },
      reply: z.array(ChainInfo),
      handle: ({ app }) => listDiscoveryChains(app),
    }),

    operation({
      route: "GET /wallet-discoveries",
      id: "listWalletDiscoveries",
      summary: "List discoveries",
      description: "The newest hundred of the organisation.",
      policy: reader,
      reply: z.array(WalletDiscovery),
      handle: ({ app, caller }) => listDiscoveries(app, caller),
    }),

    operation({
      route: "POST /wallet-discoveries",
      id: "startWalletDiscovery",
      summary: "Look for a wallet's contracts",
      description:
        "What it deployed, owns, approved, called or holds, from an explorer where one is configured and from plain nodes otherwise. " +
        "Poll the answer every two seconds until its status is `completed`, `partial` or `failed`; what was found in the last 24 hours " +
        "is there at once.",
      policy: writer,
      body: DiscoveryCreate,
      touches: ({ body }) => body.chain_ids.map((chain_id) => ({ newContractOn: chain_id })),
      status: 202,
      reply: WalletDiscovery,
      errors: ["quota_exceeded"],
      handle: ({ app, caller, body }) => startDiscovery(app, caller, body),
    }),

    operation({
      route: "GET /wallet-discoveries/{discovery_id}",
      id: "getWalletDiscovery",
      summary: "Get a discovery",
      description: "With how each chain goes and what was found so far.",
      policy: reader,
      reply: WalletDiscovery,
      handle: ({ app, caller, params }) => getDiscovery(app, caller, params.discovery_id),
    }),

    operation({
      route: "POST /wallet-discoveries/{discovery_id}/import",
      id: "importWalletDiscovery",
      summary: "Watch what was found",
      description:
        "Up to 100 of the contracts found. Those that are watched already are skipped; with `enable_suggested_targets` a contract is " +
        "monitored at once.",
      policy: writer,
      body: DiscoveryImport,
      touches: ({ body }) => body.addresses.map(({ chain_id }) => ({ newContractOn: chain_id })),
      reply: DiscoveryImportResult,
      handle: ({ app, caller, params, body }) => importDiscovery(app, caller, params.discovery_id, body),
    }),
  ],
};
