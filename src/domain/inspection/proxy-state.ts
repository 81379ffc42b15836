import type { App } from "../../app.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import { type Controller, inspectController } from "../../inspection/control/controller.ts";
import { findProxyHistory, type ProxyHistory } from "../../inspection/control/proxy-history.ts";
import { type Hop, resolveProxy } from "../../inspection/proxies/resolve-proxy.ts";
import type { ContractRow } from "../../store/contracts/contracts.ts";
import { listCode } from "../../store/engine/contract-code.ts";
import type { ProxyState } from "../../wire/inspection/proxy-state.ts";
import type { OrgCaller } from "../caller.ts";
import { findContractOnChain } from "../contracts/contract-on-chain.ts";
import { withChainClient } from "./chain-access.ts";

const cacheMs = 10_000;

/** Returns the proxy state of a contract. Cached for ten seconds, to protect the RPC endpoints. */
export async function getProxyState(app: App, caller: OrgCaller, contract_id: string): Promise<ProxyState> {
  const { row, chain } = await findContractOnChain(app, caller, contract_id);
  const { address } = row;
  // Only contracts on EVM chains can be proxies.
  if (chain.kind !== "evm") return { chain: row.chain, address, block_number: null, ...noProxy };
  return app.lookups.get(
    `proxy-state ${contract_id}`,
    () => cacheMs,
    () => withChainClient(app, caller.org_id, chain, (client) => readState(app, client, row)),
  );
}

async function readState(app: App, client: ChainClient, row: ContractRow): Promise<ProxyState> {
  const pinned = await client.pinLatestBlock();
  const { hops, implementations } = await resolveProxy(pinned, row.address);
  const [first] = hops;
  const about = { chain: row.chain, address: row.address, block_number: pinned.block.height };
  if (!first) return { ...about, ...noProxy };
  const addresses = [row.address, ...(first.beacon ? [first.beacon] : [])];
  const [admin_owner, history] = await Promise.all([
    findAdminOwner(pinned, first),
    findProxyHistory(client, addresses, pinned.block.height),
  ]);
  return {
    ...about,
    is_proxy: true,
    kind: first.kind,
    implementation: first.implementations[0] ?? implementations[0] ?? null,
    admin: first.admin,
    beacon: first.beacon,
    admin_owner,
    ...(await withObservedChanges(app, row, history)),
  };
}

const noProxy = {
  is_proxy: false,
  kind: null,
  implementation: null,
  admin: null,
  beacon: null,
  admin_owner: null,
  history: [],
  history_from_block: null,
  history_problem: null,
};

async function findAdminOwner(pinned: PinnedBlock, { admin, beacon }: Hop): Promise<Controller | null> {
  const address = admin ?? beacon;
  return address ? inspectController(pinned, address) : null;
}

/** Adds changes that the engine observed and that the logs do not contain. */
async function withObservedChanges(
  app: App,
  { id }: ContractRow,
  { changes, searched_from, problem }: ProxyHistory,
) {
  const observed = await listCode(app.db, id);
  const added = observed.flatMap(({ height, implementation }) => {
    const isKnown = changes.some(
      ({ part, block_number, address }) =>
        part === "implementation" && (block_number === height || address === implementation),
    );
    if (!implementation || isKnown) return [];
    return [
      {
        part: "implementation" as const,
        address: implementation,
        previous: null,
        block_number: height,
        tx_hash: null,
        source: "engine" as const,
      },
    ];
  });
  const history = [...changes, ...added].toSorted((a, b) => b.block_number - a.block_number);
  return { history, history_from_block: searched_from, history_problem: problem };
}
