import type { App } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import { chainOf } from "../../chains/index.ts";
import { AppError } from "../../errors/app-error.ts";
import { type ContractRow, findContract } from "../../store/contracts/contracts.ts";
import type { OrgCaller } from "../caller.ts";
import { viewerOf } from "../viewer-of.ts";
import { makeChainFinder } from "./chains.ts";

/** Returns a contract of the org with its chain; rejects if the chain is disabled. */
export async function findContractOnChain(
  app: App,
  caller: OrgCaller,
  contract_id: string,
): Promise<{ row: ContractRow; chain: Chain }> {
  const row = await findContract(app.db, viewerOf(caller), contract_id);
  if (!row) throw new AppError("not_found", "There is no such contract.");
  const chain = (await makeChainFinder(app))(row.chain);
  if (chain) return { row, chain };
  const name = chainOf(row.chain)?.name ?? row.chain;
  throw new AppError("chain_unavailable", `${name} is disabled on this service.`, { retryAfterSeconds: 60 });
}
