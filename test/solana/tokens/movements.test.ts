import { generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { type ExecutedTransaction, readonly } from "../cluster/cluster.ts";
import { deployEmitter } from "../cluster/emitter.ts";
import { makeToken, memo } from "../cluster/programs.ts";
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

/** A wallet of which a transfer into a token account is awaited, and a way to open and fill one that is not the associated one. */
async function makeWallet() {
  const token = await makeToken(cluster, 0);
  const wallet = await generateKeyPairSigner();
  const openWith = async (amount: bigint) => {
    const account = await generateKeyPairSigner();
    const ran = await cluster.run([
      ...token.openAt(account, wallet.address),
      token.mintInto(account.address, amount),
    ]);
    expect(ran.hasFailed).toBe(false);
    expect(ran.accounts).not.toContain(wallet.address);
    return { ran, account: account.address };
  };
  const before = await openWith(1n);
  cluster.produce([token.made, before.ran]);
  await world.runUntilIdle();
  const watched = await world.watch(wallet.address, {
    target_type: "large_transfer",
    config: { token: token.mint },
  });
  const rule = await world.rule(watched.id, each);
  await pass(2);
  const alerts = async () =>
    (await world.events())
      .filter(({ rule_id }) => rule_id === rule)
      .map(({ tx_hash, block_number, value }) => ({ tx_hash, block_number, value }))
      .toSorted((a, b) => Number(a.value) - Number(b.value));
  const alertOf = ({ signature }: ExecutedTransaction, block_number: number, value: number) => ({
    ...{ tx_hash: signature, block_number, value },
  });
  return { token, before, openWith, alerts, alertOf };
}

/** Passes the interval between two searches, some times. */
async function pass(times: number) {
  for (let time = 0; time < times; time++) {
    cluster.produce([], { seconds: 12, skipped: 30 });
    cluster.finalize(cluster.head - 2);
    await world.runUntilIdle();
  }
}

test("transfers into an account that is opened for a wallet, and does not name it, are reported with their own slots, and those before the wallet was watched are not", async () => {
  const { token, before, openWith, alerts, alertOf } = await makeWallet();
  const known = await cluster.run([token.mintInto(before.account, 2n)]);
  const opened = await openWith(30n);
  const first = cluster.produce([known, opened.ran]);
  const more = await cluster.run([token.mintInto(opened.account, 5n)]);
  const second = cluster.produce([more]);
  await world.runUntilIdle();
  await pass(3);
  expect(await alerts()).toEqual([
    alertOf(known, first, 2),
    alertOf(more, second, 5),
    alertOf(opened.ran, first, 30),
  ]);
});

test("an account that is opened for a wallet while the service is stopped, or while its accounts cannot be searched, loses no transfer", async () => {
  const { openWith, alerts, alertOf } = await makeWallet();
  const stopped = await openWith(10n);
  const first = cluster.produce([stopped.ran]);
  cluster.produce([], { seconds: 300, skipped: 700 });
  await world.restart();
  await pass(3);
  expect(await alerts()).toEqual([alertOf(stopped.ran, first, 10)]);
  const [node] = world.nodes;
  if (!node) throw new Error("there is no node");
  node.faults.rewrite = ({ method }, reply) =>
    method === "getTokenAccountsByOwner" ? { error: { code: -32012, message: "scan aborted" } } : reply;
  const unsearched = await openWith(20n);
  const second = cluster.produce([unsearched.ran]);
  await pass(7);
  expect(await alerts()).toHaveLength(1);
  node.faults.rewrite = undefined;
  cluster.produce([], { seconds: 700, skipped: 30 });
  await pass(3);
  expect(await alerts()).toEqual([alertOf(stopped.ran, first, 10), alertOf(unsearched.ran, second, 20)]);
});
