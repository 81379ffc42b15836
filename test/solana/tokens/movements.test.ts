import { generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { type ExecutedTransaction, readonly } from "../cluster/cluster.ts";
import { deployEmitter } from "../cluster/emitter.ts";
import { memo } from "../cluster/programs.ts";
import { makeExtendedMint } from "../cluster/token-2022-extensions.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;
const { payer } = cluster;
const each = { aggregation: "each", window_seconds: undefined };

async function funded() {
  const signer = await generateKeyPairSigner();
  cluster.svm.airdrop(signer.address, lamports(10_000_000_000n));
  return signer;
}

/** A holder of 900 tokens, whose transfers are watched, and another one with none. */
async function makeHolders(token: Awaited<ReturnType<typeof makeExtendedMint>>, thaw = false) {
  const [holder, other] = [await funded(), await funded()];
  for (const { address } of [holder, other]) {
    await cluster.run([token.open(address)]);
    if (thaw) await cluster.run([token.thaw(address)]);
  }
  await cluster.run([token.mintTo(holder.address, 900n)]);
  const watched = await world.watch(holder.address, {
    target_type: "large_transfer",
    config: { token: token.mint },
  });
  const rule = await world.rule(watched.id, each);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  const alerts = async () =>
    (await world.events())
      .filter(({ rule_id }) => rule_id === rule)
      .toReversed()
      .map(({ message, tx_hash, block_number }) => ({ message, tx_hash, block_number }));
  return { holder, other, alerts };
}

async function land(ran: ExecutedTransaction) {
  const block_number = cluster.produce([ran]);
  await world.runUntilIdle();
  return { tx_hash: ran.signature, block_number };
}

async function succeed(...instructions: Instruction[]) {
  const ran = await cluster.run(instructions);
  if (ran.hasFailed) throw new Error(JSON.stringify(ran.meta));
  return land(ran);
}

test("tokens that a permanent delegate takes from a wallet are reported, though the wallet is not in the transaction", async () => {
  const token = await makeExtendedMint(cluster, "delegate");
  const { holder, other, alerts } = await makeHolders(token);
  const ran = await cluster.run([
    token.transfer(payer, { from: holder.address, to: other.address, amount: 700n }),
  ]);
  expect(ran.accounts).not.toContain(holder.address);
  const taken = await land(ran);
  expect(await alerts()).toEqual([
    {
      ...taken,
      message: expect.stringMatching(
        new RegExp(`sent 700 tokens .* to ${other.address} by ${payer.address}`),
      ),
    },
  ]);
});

test("a transfer that calls the program of a transfer hook is reported once, with its amount", async () => {
  const { program } = await deployEmitter(cluster);
  const token = await makeExtendedMint(cluster, "hook", { hook: program });
  const { holder, other, alerts } = await makeHolders(token);
  const transfer = token.transfer(holder, { from: holder.address, to: other.address, amount: 300n });
  const accounts = [...(transfer.accounts ?? []), readonly(program)];
  const ran = await cluster.run([{ ...transfer, accounts }]);
  expect(JSON.stringify(ran.meta)).toContain(`Program ${program} invoke [2]`);
  const sent = await land(ran);
  expect(await alerts()).toEqual([{ ...sent, message: expect.stringContaining("sent 300 tokens") }]);
});

test("a transfer that fails because its memo is missing is not reported, and the one with a memo is", async () => {
  const token = await makeExtendedMint(cluster, "pause");
  const { holder, other, alerts } = await makeHolders(token);
  await cluster.run(token.turn("memo", other, true));
  const transfer = token.transfer(holder, { from: holder.address, to: other.address, amount: 40n });
  const failed = await cluster.run([transfer]);
  expect(failed.hasFailed).toBe(true);
  await land(failed);
  const sent = await succeed(memo("rent"), transfer);
  expect(await alerts()).toEqual([{ ...sent, message: expect.stringContaining("sent 40 tokens") }]);
});

test("tokens of accounts that were frozen until they were thawed, and of a paused token, are reported when they move", async () => {
  const frozen = await makeExtendedMint(cluster, "state");
  const first = await makeHolders(frozen, true);
  const move = { from: first.holder.address, to: first.other.address, amount: 5n };
  const sent = await succeed(frozen.transfer(first.holder, move));
  expect(await first.alerts()).toEqual([{ ...sent, message: expect.stringContaining("sent 5 tokens") }]);
  const paused = await makeExtendedMint(cluster, "pause");
  const second = await makeHolders(paused);
  const transfer = paused.transfer(second.holder, {
    ...{ from: second.holder.address, to: second.other.address, amount: 6n },
  });
  await cluster.run([paused.pause()]);
  const rejected = await cluster.run([transfer]);
  expect(rejected.hasFailed).toBe(true);
  await land(rejected);
  await cluster.run([paused.resume()]);
  const moved = await succeed(transfer);
  expect(await second.alerts()).toEqual([{ ...moved, message: expect.stringContaining("sent 6 tokens") }]);
});
