import { generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import { configureConfidential, deposit, madeConfidential } from "../cluster/confidential.ts";
import { makeExtendedMint } from "../cluster/token-2022-extensions.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster, h } = world;
const each = { aggregation: "each", window_seconds: undefined };
const hidden = "a part of it is confidential, which only the keys of its owner can decrypt";

async function funded() {
  const signer = await generateKeyPairSigner();
  cluster.svm.airdrop(signer.address, lamports(10_000_000_000n));
  return signer;
}

async function execute(...instructions: Instruction[]) {
  const ran = await cluster.run(instructions);
  if (ran.hasFailed) throw new Error(JSON.stringify(ran.meta));
  return ran;
}

async function pass(...seconds: number[]): Promise<void> {
  await world.runUntilIdle();
  for (const second of seconds) {
    cluster.produce([], { seconds: second });
    await world.runUntilIdle();
  }
}

/** A mint with confidential transfers, and a holder of 900 of its tokens beside another one. */
async function makeHolders() {
  const token = await makeExtendedMint(cluster, "confidential");
  const [holder, other] = [await funded(), await funded()];
  for (const { address } of [holder, other]) await execute(token.open(address));
  await execute(token.mintTo(holder.address, 900n));
  for (const { address } of [holder, other]) configureConfidential(cluster, token.account(address));
  return { token, holder, other };
}

async function stateOf(contract_id: string) {
  const [target] = await world.targets(contract_id);
  return { status: target?.status, reason: target?.status_reason, value: target?.last_value };
}

test("of a balance that is partly confidential the public part is measured, of a wallet and of a token account", async () => {
  const { token, holder } = await makeHolders();
  const balance = { target_type: "token_balance", config: { token: token.mint } };
  const account = token.account(holder.address);
  const watched = [await world.watch(holder.address, balance), await world.watch(account, balance)];
  await pass(1, 90);
  for (const { contract_id } of watched)
    expect(await stateOf(contract_id)).toMatchObject({ status: "ok", value: 900 });
  cluster.produce([await execute(deposit(account, token.mint, holder, 40n))]);
  await pass(90);
  for (const { contract_id } of watched)
    expect(await stateOf(contract_id)).toMatchObject({ status: "ok", value: 860 });
});

test("a deposit into the confidential balance is measured as a transfer of what left the public one", async () => {
  const { token, holder } = await makeHolders();
  const account = token.account(holder.address);
  const target = await world.watch(holder.address, {
    target_type: "large_transfer",
    config: { token: token.mint },
  });
  const rule = await world.rule(target.id, each);
  await pass(1);
  const ran = await execute(deposit(account, token.mint, holder, 40n));
  const block_number = cluster.produce([ran]);
  await pass();
  expect((await world.events()).filter(({ rule_id }) => rule_id === rule)).toMatchObject([
    { tx_hash: ran.signature, block_number, message: expect.stringContaining("sent 40 tokens") },
  ]);
});

test("a confidential transfer is reported to its sender, its recipient and its mint, and to nobody else", async () => {
  const { token, holder, other } = await makeHolders();
  const bystander = await funded();
  const transfers = { target_type: "large_transfer", config: { token: token.mint } };
  const parties = [
    await world.watch(holder.address, transfers),
    await world.watch(token.account(other.address), transfers),
    await world.watch(token.mint, transfers),
  ];
  const apart = await world.watch(cluster.payer.address, transfers);
  const native = await world.watch(bystander.address, {
    target_type: "large_transfer",
    config: { native: true },
  });
  await pass(1);
  const move = token.transfer(holder, { from: holder.address, to: other.address, amount: 0n });
  const ran = madeConfidential(await execute(move));
  const slot = cluster.produce([ran]);
  await pass();
  const problem = `The transaction ${ran.signature} in slot ${slot} has a confidential transfer, so that how much it moved is not known.`;
  await raiseSystemAlerts(h.app);
  for (const { contract_id } of parties) {
    expect(await stateOf(contract_id)).toMatchObject({ reason: problem });
    const alerts = (await world.events()).filter((event) => event.contract_id === contract_id);
    expect(alerts).toMatchObject([{ status: "firing", message: problem }]);
  }
  for (const { contract_id } of [apart, native])
    expect(await stateOf(contract_id)).toMatchObject({ reason: null });
});

test("the supply of a mint that mints confidentially is reported as not readable", async () => {
  const token = await makeExtendedMint(cluster, "hiddenSupply");
  const { contract_id } = await world.watch(token.mint, { target_type: "token_supply" });
  await pass(1, 90);
  expect(await stateOf(contract_id)).toMatchObject({
    status: "error",
    reason: expect.stringContaining(hidden),
  });
});
