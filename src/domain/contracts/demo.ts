import type { App } from "../../app.ts";
import { cast, largeTransfer } from "../../chains/demo/cast.ts";
import { AppError } from "../../errors/app-error.ts";
import { deleteEventsOn } from "../../store/alerts/history.ts";
import { type ContractRow, listContracts } from "../../store/contracts/contracts.ts";
import { deleteDeliveriesTo } from "../../store/delivery/deliveries.ts";
import { findOrg, lockOrg, updateOrg } from "../../store/orgs/orgs.ts";
import type { Demo } from "../../wire/contracts/demo.ts";
import { createRule } from "../alerts/rules.ts";
import { applyTemplates } from "../alerts/templates/apply-templates.ts";
import type { MemberCaller } from "../caller.ts";
import { removeChannel } from "../channels/channel-removal.ts";
import { addChannel } from "../channels/channels.ts";
import { inTransaction } from "../transaction.ts";
import { viewerOf } from "../viewer-of.ts";
import { createContract, removeContract } from "./contracts.ts";
import { requestFirstIncident, waitForDemoChain } from "./demo-chain.ts";
import { replaceLabels } from "./labels.ts";
import { createTarget, listTargets } from "./targets.ts";

const chain = "demo";

export async function getDemo(app: App, caller: MemberCaller): Promise<Demo> {
  const [contracts, org] = [await contractsOf(app, caller), await findOrg(app.db, caller.org_id)];
  return {
    is_available: app.config.rpc.has(chain),
    contracts: contracts.length,
    channel_id: org?.demo_channel_id ?? null,
  };
}

/** Adds what is missing of the demo, and asks the chain for an incident. */
export async function startDemo(app: App, caller: MemberCaller): Promise<Demo> {
  if (!app.config.rpc.has(chain))
    throw new AppError("conflict", "This service does not run the demo chain. Start it with DEMO=1.");
  await waitForDemoChain(app);
  // It consists of several transactions, of which only the last one has the reply.
  const { saveReply: _, ...context } = caller.context;
  const withoutReply = { ...caller, context };
  const channel_id = await ensureInbox(app, withoutReply);
  await addContracts(app, withoutReply);
  for (const { id } of await contractsOf(app, withoutReply))
    await applyTemplates(app, withoutReply, id, { category: "recommended", channel_id, dry_run: false });
  await watchLargeTransfers(app, withoutReply, channel_id);
  await requestFirstIncident(app);
  const demo = await getDemo(app, caller);
  return inTransaction(app, caller, async (_tx, { audit }) => {
    const subject = { type: "org", id: caller.org_id };
    audit({ org_id: caller.org_id, action: "demo.started", subject, details: { contracts: demo.contracts } });
    return demo;
  });
}

/** Deletes everything on the demo chain, and the inbox. */
export async function removeDemo(app: App, caller: MemberCaller): Promise<Demo> {
  const contracts = await contractsOf(app, caller);
  return inTransaction(app, caller, async (tx, effects) => {
    const { demo_channel_id } = await lockOrg(tx, caller.org_id);
    for (const { id } of contracts) await removeContract(app, caller, id, { tx, effects });
    await deleteEventsOn(tx, caller.org_id, chain);
    if (demo_channel_id) {
      await deleteDeliveriesTo(tx, caller.org_id, demo_channel_id);
      await removeChannel(app, caller, demo_channel_id, { force: true }, { tx, effects });
    }
    const subject = { type: "org", id: caller.org_id };
    const details = { contracts: contracts.length };
    effects.audit({ org_id: caller.org_id, action: "demo.removed", subject, details });
    return { is_available: app.config.rpc.has(chain), contracts: 0, channel_id: null };
  });
}

async function contractsOf(app: App, caller: MemberCaller): Promise<ContractRow[]> {
  const rows = await listContracts(app.db, viewerOf(caller));
  return rows.filter((row) => row.chain === chain);
}

/** The inbox of the demo, which is created once. */
async function ensureInbox(app: App, caller: MemberCaller): Promise<string> {
  return inTransaction(app, caller, async (tx, effects) => {
    const { demo_channel_id } = await lockOrg(tx, caller.org_id);
    if (demo_channel_id) return demo_channel_id;
    const input = { type: "inbox", name: "Demo inbox" };
    const { id } = await addChannel({ app, tx, caller, effects }, input, {});
    await updateOrg(tx, caller.org_id, { demo_channel_id: id });
    return id;
  });
}

async function addContracts(app: App, caller: MemberCaller): Promise<void> {
  const addresses = new Set((await contractsOf(app, caller)).map(({ address }) => address.toLowerCase()));
  for (const { address, label } of cast) {
    if (addresses.has(address)) continue;
    const { id } = await createContract(app, caller, { chain, address, label });
    await replaceLabels(app, caller, id, [{ value: "demo" }]);
  }
}

/** Most of what the demo tells follows from templates; how much is large does not. */
async function watchLargeTransfers(app: App, caller: MemberCaller, channel_id: string): Promise<void> {
  const { address, decimals, threshold } = largeTransfer;
  const token = (await contractsOf(app, caller)).find((row) => row.address.toLowerCase() === address);
  if (!token) return;
  const target_type = "large_transfer";
  if ((await listTargets(app, caller, token.id)).some((target) => target.target_type === target_type)) return;
  const target = await createTarget(app, caller, token.id, { target_type, config: { decimals } });
  await createRule(app, caller, {
    target_id: target.id,
    name: "Large transfer",
    severity: "warning",
    channel_id,
    condition: { operator: "gte", threshold },
  });
}
