import { type App, inSeconds } from "../../app.ts";
import type { Chain } from "../../chains/chain.ts";
import type { ChainClient, PinnedBlock } from "../../chains/chain-client.ts";
import { refreshProfile } from "../../inspection/inspect.ts";
import { emptyProfile } from "../../inspection/profile/profile.ts";
import type { AccountFacts } from "../../inspection/solana/account-facts.ts";
import { accountProfileOf } from "../../inspection/solana/account-profile.ts";
import { recordWatchChange } from "../../store/engine/watch.ts";
import {
  clearMissingCode,
  type DueInspection,
  findDueInspection,
  findProfile,
  hasOwnAbi,
  type InspectedContract,
  postponeInspections,
  recordInspection,
  recordMissingCode,
  recordProfile,
} from "../../store/inspection/inspections.ts";
import type { Db } from "../../store/open-store.ts";
import { lockOrg } from "../../store/orgs/orgs.ts";
import { type OrgCaller, systemCaller } from "../caller.ts";
import { findAbiExcess } from "../contracts/abi-budget.ts";
import { makeChainFinder } from "../contracts/chains.ts";
import { updateContractStatus } from "../contracts/contract-status.ts";
import { updateNameStatus } from "../contracts/name-status.ts";
import { updateSupport } from "../contracts/target-support.ts";
import { inTransaction, type OpenTransaction } from "../transaction.ts";
import { withChainClient } from "./chain-access.ts";
import { type Examined, examineCode, fromAccount, readAccount } from "./examine.ts";

const dailySeconds = 86_400;
/** What could not be read now must not be unknown for a day. */
const incompleteSeconds = 3_600;
const codeGone = "There is no code at this address any more.";

/** Inspects a contract now if it was not inspected yet. Rejects with 503 if its chain cannot be read. */
export async function inspectIfNew(app: App, caller: OrgCaller, contract_id: string): Promise<void> {
  await ifNew(app, caller, contract_id, (chain, contract) => inspectOne(app, chain, contract));
}

/**
 * Returns what an inspection finds now, and records nothing, because GET requests do not write. Undefined if the contract was
 * inspected before. Rejects with 503 if its chain cannot be read.
 */
export async function examineIfNew(
  app: App,
  caller: OrgCaller,
  contract_id: string,
): Promise<InspectedContract | undefined> {
  const examined = await ifNew(app, caller, contract_id, async (chain, contract) =>
    chain.kind === "solana"
      ? fromAccount(await readAccount(app, chain, contract))
      : await examineCode(app, chain, contract),
  );
  return examined?.presence === "gone" ? undefined : examined?.inspected;
}

async function ifNew<Result>(
  app: App,
  { org_id }: OrgCaller,
  contract_id: string,
  work: (chain: Chain, contract: DueInspection) => Promise<Result>,
): Promise<Result | undefined> {
  const contract = await findDueInspection(app.db, contract_id);
  const chain = contract && (await makeChainFinder(app))(contract.chain);
  // A contract on a chain that is switched off cannot be inspected, and its targets do nothing.
  if (!contract || !chain || contract.is_profiled) return undefined;
  return withChainClient(app, org_id, chain, () => work(chain, contract));
}

/** Inspects a contract, or learns again what changes with time. */
export async function inspectOne(app: App, chain: Chain, contract: DueInspection): Promise<void> {
  if (chain.kind === "solana") {
    const facts = await readAccount(app, chain, contract);
    const isLeftOut = contract.lacks_abi && facts.idl !== undefined;
    if (contract.is_profiled && contract.code_seen && !isLeftOut)
      return learnAccountAgain(app, contract, facts);
    return recordResult(app, contract, fromAccount(facts));
  }
  // An ABI that was left out is searched for again: the organisation may be within its quota now.
  const isLeftOut = contract.lacks_abi && contract.is_verified === true;
  const isKnown = contract.inspections > 0 && contract.is_profiled && !isLeftOut;
  if (contract.code_seen && !contract.is_missing && isKnown) {
    const client = app.chains.clientFor(chain);
    const pinned = await client.pinLatestBlock();
    const [code] = await pinned.read([{ kind: "code", address: contract.address }]);
    if (!code?.ok) return postponeInspections(app.db, [contract.id], inSeconds(app, dailySeconds));
    if (code.data !== "0x") return learnAgain(app, client, pinned, contract);
  }
  await recordResult(app, contract, await examineCode(app, chain, contract));
}

/** What thresholds follow changes with time: what a contract holds, who uses it, how often a feed is updated. */
async function learnAgain(
  app: App,
  client: ChainClient,
  pinned: PinnedBlock,
  { id, address, contract_type }: DueInspection,
): Promise<void> {
  const storedProfile = (await findProfile(app.db, id)) ?? emptyProfile;
  const profile = await refreshProfile(client, pinned, { address, contract_type, profile: storedProfile });
  await recordProfile(app.db, id, profile, inSeconds(app, dailySeconds));
}

/** A wallet or a program may hold another token now. Assets that cannot be listed now are kept. */
async function learnAccountAgain(app: App, { id }: DueInspection, facts: AccountFacts): Promise<void> {
  const storedProfile = (await findProfile(app.db, id)) ?? emptyProfile;
  const profile = accountProfileOf(facts);
  const assets = profile.assets.length > 0 ? profile.assets : storedProfile.assets;
  const again = inSeconds(app, facts.areHoldingsKnown ? dailySeconds : incompleteSeconds);
  await recordProfile(app.db, id, { ...profile, assets }, again);
}

/** Records an inspection. An address without code is a wallet, or is created later; only code that has gone is an error. */
async function recordResult(
  app: App,
  contract: DueInspection,
  { inspected, presence }: Examined,
): Promise<void> {
  // The first retries come soon: the node may not have the block of the deployment yet.
  const again = inSeconds(app, Math.min(dailySeconds, 30 * 4 ** Math.min(contract.inspections, 6)));
  await inTransaction(app, systemCaller, async (tx, { hint, audit }) => {
    // A change of an ABI is recorded for the proxies that are known then, so it must not be open when a contract becomes one.
    await lockOrg(tx, contract.org_id);
    const abi = presence === "gone" ? null : await abiToStore(tx, contract, inspected.abi, audit);
    await recordWatchChange(tx, contract.chain, contract.id);
    if (presence === "gone") await recordMissingCode(tx, contract.id, codeGone, again);
    else {
      await recordInspection(tx, contract.id, { ...inspected, abi, hasCode: presence !== "empty" });
      const nextAt = presence === "incomplete" ? incompleteSeconds : dailySeconds;
      await postponeInspections(tx, [contract.id], presence === "empty" ? again : inSeconds(app, nextAt));
      const isCleared = await clearMissingCode(tx, contract.id);
      if ((await updateSupport(tx, contract)) || isCleared)
        await updateContractStatus(app, tx, contract.org_id, contract.id);
      await updateNameStatus(app, tx, contract);
    }
    hint({ topic: "watch.changed" });
  });
}

/** An ABI beyond the limit of the org is left out: the contract is monitored without it, and the audit log says why. */
async function abiToStore(
  tx: Db,
  { id, org_id }: DueInspection,
  abi: unknown,
  audit: OpenTransaction["effects"]["audit"],
): Promise<unknown> {
  if (abi === null || (await hasOwnAbi(tx, id))) return abi;
  const reason = await findAbiExcess(tx, { id, org_id }, abi);
  if (reason === undefined) return abi;
  const subject = { type: "contract" as const, id };
  audit({ org_id, action: "contract.abi_left_out", subject, details: { reason } });
  return null;
}
