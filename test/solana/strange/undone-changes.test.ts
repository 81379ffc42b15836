import { type Address, generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { bytesOfAddress } from "../../../src/chains/solana/accounts/address.ts";
import { systemProgram } from "../../../src/chains/solana/accounts/nonce-account.ts";
import { readonly, signing, writable } from "../cluster/cluster.ts";
import { makeToken } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster, owner } = world;
const txRate = { target_type: "tx_rate", config: {} };

async function funded() {
  const signer = await generateKeyPairSigner();
  cluster.svm.airdrop(signer.address, lamports(10_000_000_000n));
  return signer;
}

function system(accounts: Instruction["accounts"], ...data: Uint8Array[]): Instruction {
  return { programAddress: systemProgram as Address, accounts: accounts ?? [], data: Buffer.concat(data) };
}

/** Watches who controls an address, beside a target that has its transactions read; returns the alerts. */
async function watchControl(address: string, config: object) {
  const { contract_id } = await world.watch(address, txRate);
  const body = { target_type: "solana_authority_change", config };
  const added = await owner.client.post(`/contracts/${contract_id}/targets`, body);
  const each = { aggregation: "each", window_seconds: undefined };
  const rule = await world.rule((added.body as { id: string }).id, each);
  await world.runUntilIdle();
  await poll();
  return async () => {
    const events = (await world.events()).filter(({ rule_id }) => rule_id === rule);
    return events
      .toSorted((a, b) => Number(a.block_number) - Number(b.block_number))
      .map(({ tx_hash, message }) => ({ tx_hash, message }));
  };
}

/** Lets the next poll of a target read the state. */
async function poll() {
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
}

test("a mint that is only polled, but whose transactions another target reads, alerts of an authority that is given back before the next poll", async () => {
  const token = await makeToken(cluster);
  const { payer } = cluster;
  const thief = await funded();
  const alerts = await watchControl(token.mint, {});
  const taken = await cluster.run([token.setMintAuthority(payer, thief.address)]);
  const back = await cluster.run([token.setMintAuthority(thief, payer.address)], thief);
  cluster.produce([taken], { seconds: 0 });
  cluster.produce([back], { seconds: 0 });
  await world.runUntilIdle();
  for (let polls = 0; polls < 2; polls++) await poll();
  expect(await alerts()).toEqual([
    {
      tx_hash: taken.signature,
      message: expect.stringContaining(`mint authority changed: ${payer.address} → ${thief.address}`),
    },
    {
      tx_hash: back.signature,
      message: expect.stringContaining(`mint authority changed: ${thief.address} → ${payer.address}`),
    },
  ]);
});

test("a durable nonce whose transactions another target reads alerts of an authority that is given back before the next poll", async () => {
  const [nonce, holder, thief] = [await generateKeyPairSigner(), await funded(), await funded()];
  const recent = readonly("SysvarRecentB1ockHashes11111111111111111111");
  const rent = readonly("SysvarRent111111111111111111111111111111111");
  const create = Buffer.alloc(52);
  create.writeBigUInt64LE(cluster.svm.minimumBalanceForRentExemption(80n), 4);
  create.writeBigUInt64LE(80n, 12);
  await cluster.run([
    system([signing(cluster.payer), signing(nonce)], create),
    system([writable(nonce.address), recent, rent], Buffer.of(6, 0, 0, 0), bytesOfAddress(holder.address)),
  ]);
  const alerts = await watchControl(nonce.address, { account: "nonce" });
  const give = (from: typeof holder, to: string) =>
    cluster.run(
      [system([writable(nonce.address), signing(from)], Buffer.of(7, 0, 0, 0), bytesOfAddress(to))],
      from,
    );
  const taken = await give(holder, thief.address);
  const back = await give(thief, holder.address);
  cluster.produce([taken], { seconds: 0 });
  cluster.produce([back], { seconds: 0 });
  await world.runUntilIdle();
  for (let polls = 0; polls < 2; polls++) await poll();
  expect(await alerts()).toEqual([
    {
      tx_hash: taken.signature,
      message: expect.stringContaining(`durable nonce changed: ${holder.address} → ${thief.address}`),
    },
    {
      tx_hash: back.signature,
      message: expect.stringContaining(`durable nonce changed: ${thief.address} → ${holder.address}`),
    },
  ]);
});

test("a token account that is closed is one alert, with its transaction, and its next poll reports nothing more", async () => {
  const token = await makeToken(cluster, 0);
  const holder = await funded();
  const account = await generateKeyPairSigner();
  const other = await generateKeyPairSigner();
  await cluster.run([...token.openAt(account, holder.address), token.mintInto(account.address, 5n)]);
  await cluster.run(token.openAt(other, holder.address));
  const alerts = await watchControl(account.address, { account: "token" });
  const closed = await cluster.run(token.closeAt(account.address, holder, other.address, 5n));
  expect(closed.hasFailed).toBe(false);
  cluster.produce([closed]);
  await world.runUntilIdle();
  for (let polls = 0; polls < 2; polls++) await poll();
  expect(await alerts()).toEqual([
    { tx_hash: closed.signature, message: expect.stringContaining("account changed: open → closed by") },
  ]);
});
