import { z } from "zod";
import {
  findDiscoveryIssues,
  getDiscovery,
  listDiscoveries,
  listDiscoveryChains,
  removeDiscovery,
  startDiscovery,
} from "../../../domain/imports/discoveries.ts";
import { importDiscovery } from "../../../domain/imports/import-discovery.ts";
import { ChainInfo } from "../../../wire/contracts/chains.ts";
import {
  DiscoveriesQuery,
  DiscoveryCreate,
  DiscoveryImport,
  DiscoveryImportResult,
  WalletDiscovery,
} from "../../../wire/imports/discoveries.ts";
import { Ok } from "../../../wire/primitives.ts";
import { type Group, listOperation, operation } from "../../operation.ts";

const reader = { who: "org", org: "active", role: "viewer", keys: true, scope: "filtered" } as const;
const writer = { who: "org", org: "active", role: "member", keys: true } as const;

export const discoveryGroup: Group = {
  tag: "Wallet discovery",
  about: "Discovery of contracts and wallets related to a wallet.",
  operations: [
    operation({
      route: "GET /wallet-discoveries/_chains",
      id: "listDiscoveryChains",
      summary: "List chains for discovery",
      description: "Returns the enabled EVM chains.",
      policy: { ...reader, scope: "unrelated" },
      reply: z.array(ChainInfo),
      handle: ({ app }) => listDiscoveryChains(app),
    }),

    listOperation({
      route: "GET /wallet-discoveries",
      id: "listWalletDiscoveries",
      hasLargeReply: true,
      summary: "List discoveries",
      description: "Returns the discoveries of the organisation, newest first: by default the latest 100.",
      policy: reader,
      query: DiscoveriesQuery,
      reply: z.array(WalletDiscovery),
      list: ({ app, caller, query }) => listDiscoveries(app, caller, query),
    }),

    operation({
      route: "POST /wallet-discoveries",
      id: "startWalletDiscovery",
      hasLargeReply: true,
      summary: "Start a discovery",
      description:
        "Finds contracts that the wallet deployed, owns, approved, called or holds, the wallet itself, and wallets that it sent " +
        "transactions to or approved, using an explorer if configured and RPC nodes otherwise. Poll the discovery every two seconds until its status is `completed`, `partial` or `failed`. Results of the last " +
        "24 hours are returned from a cache.",
      policy: writer,
      body: DiscoveryCreate,
      findIssues: ({ app, fields }) => findDiscoveryIssues(app, fields),
      touches: ({ body }) => body.chain_ids.map((chain_id) => ({ newContractOn: chain_id })),
      status: 202,
      reply: WalletDiscovery,
      errors: ["quota_exceeded"],
      handle: ({ app, caller, body }) => startDiscovery(app, caller, body),
    }),

    operation({
      route: "GET /wallet-discoveries/{id}",
      id: "getWalletDiscovery",
      hasLargeReply: true,
      summary: "Get a discovery",
      description: "Returns the progress per chain and the addresses found so far.",
      policy: reader,
      reply: WalletDiscovery,
      handle: ({ app, caller, params }) => getDiscovery(app, caller, params.id),
    }),

    operation({
      route: "DELETE /wallet-discoveries/{id}",
      id: "deleteWalletDiscovery",
      summary: "Delete a discovery",
      description:
        "Deletes the discovery with its results, also while it runs. Contracts that were imported from it stay. It still counts " +
        "towards the discoveries of the day.",
      policy: { ...writer, scope: "filtered" },
      reply: Ok,
      errors: ["not_found"],
      handle: ({ app, caller, params }) => removeDiscovery(app, caller, params.id),
    }),

    operation({
      route: "POST /wallet-discoveries/{id}/import",
      id: "importWalletDiscovery",
      summary: "Import discovered contracts",
      description:
        "Creates up to 100 of the discovered contracts. Existing contracts are skipped. With `enable_suggested_targets`, monitoring " +
        "starts immediately.",
      policy: writer,
      body: DiscoveryImport,
      touches: ({ body }) => body.addresses.map(({ chain_id }) => ({ newContractOn: chain_id })),
      reply: DiscoveryImportResult,
      handle: ({ app, caller, params, body }) => importDiscovery(app, caller, params.id, body),
    }),
  ],
};
