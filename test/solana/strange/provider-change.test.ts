import { generateKeyPairSigner } from "@solana/kit";
import { expect, test } from "vitest";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { makeToken } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld({ clock: fastClock(20) });
const { cluster, h, owner } = world;
const [node] = world.nodes;
const token = await makeToken(cluster, 0);

/** A wallet whose token balance and token transfers are measured. */
async function watchWallet(): Promise<string> {
  const { address } = await generateKeyPairSigner();
  const config = { token: token.mint };
  const { contract_id } = await world.watch(address, { target_type: "large_transfer", config });
  const balance = { target_type: "token_balance", config };
  expect((await owner.client.post(`/contracts/${contract_id}/targets`, balance)).status).toBe(201);
  return address;
}

async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 60) {
    cluster.produce([], { seconds: 60, skipped: 150 });
    cluster.finalize(cluster.head - 2);
    h.clock.advance(60);
    await world.runUntilIdle();
  }
}

async function systemAlerts(status = "firing") {
  await raiseSystemAlerts(h.app);
  return (await world.events())
    .filter((event) => event.rule_id === null && event.status === status)
    .map(({ title, contract_id, explanation }) => ({ title, contract_id, reason: explanation?.reason }));
}

/** Has the node list no token accounts of these wallets. */
function failSearches(addresses: readonly string[]): void {
  if (!node) throw new Error("there is no node");
  node.faults.failing = new Map(addresses.map((address) => [address, -32603]));
}

test("a provider that stops listing token accounts is one alert for each kind of problem, and not one for each wallet", async () => {
  cluster.produce([token.made]);
  h.clock.advance((cluster.all.at(-1)?.time ?? 0) - h.clock.now().getTime() / 1000);
  const wallets = await Promise.all([1, 2, 3, 4].map(watchWallet));
  await pass(120);
  expect(await systemAlerts()).toEqual([]);
  failSearches(wallets);
  await pass(1_020);
  const raised = await systemAlerts();
  expect(raised.toSorted((a, b) => a.title.localeCompare(b.title))).toEqual([
    { title: "New token accounts on Solana are not found", contract_id: null, reason: "unsearched" },
    { title: "Several contracts on Solana have no data", contract_id: null, reason: "no_data" },
  ]);
  failSearches([]);
  await pass(420);
  expect(await systemAlerts()).toEqual([]);
  expect(await systemAlerts("resolved")).toHaveLength(2);
});

test("a wallet whose token accounts alone cannot be listed has alerts that name it", async () => {
  failSearches([await watchWallet()]);
  await pass(240);
  const raised = await systemAlerts();
  expect(raised.map(({ title }) => title)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^New token accounts of Watched on Solana/)]),
  );
  expect(raised.every(({ contract_id }) => contract_id !== null)).toBe(true);
});
