import { type Address, generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { bytesOfAddress } from "../../src/chains/solana/accounts/address.ts";
import { systemProgram } from "../../src/chains/solana/accounts/nonce-account.ts";
import { tokenMetadataOf, tokenMetadataProgram } from "../../src/chains/solana/accounts/token-metadata.ts";
import { readonly, signing, writable } from "./cluster/cluster.ts";
import { withInstruction } from "./cluster/multisig-account.ts";
import { inOneBatch, makeToken, transferSol } from "./cluster/programs.ts";
import { makeFeeToken } from "./cluster/token-2022.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;
const each = { aggregation: "each", window_seconds: undefined };

async function funded() {
  const signer = await generateKeyPairSigner();
  cluster.svm.airdrop(signer.address, lamports(10_000_000_000n));
  return signer;
}

async function eventsOf(rule_id: string) {
  const events = (await world.events()).filter((event) => event.rule_id === rule_id);
  return events.toSorted((a, b) => Number(a.block_number) - Number(b.block_number));
}

test("a mint authority that is taken, used and given back between two polls raises an alert for each change, with who made it", async () => {
  const token = await makeToken(cluster);
  const thief = await funded();
  const { payer } = cluster;
  const target = { target_type: "solana_authority_change", config: { account: "token" } };
  const watched = await world.watch(token.mint, target);
  const rule = await world.rule(watched.id, each);
  await world.runUntilIdle();
  cluster.produce([token.made]);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  const taken = await cluster.run([token.setMintAuthority(payer, thief.address)]);
  const back = await cluster.run([token.setMintAuthority(thief, payer.address)], thief);
  const slots = [cluster.produce([taken], { seconds: 0 }), cluster.produce([back], { seconds: 0 })];
  await world.runUntilIdle();
  // The next polls read the state of the beginning, and report nothing more.
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  expect(await eventsOf(rule)).toMatchObject([
    {
      tx_hash: taken.signature,
      block_number: slots[0],
      message: expect.stringContaining(
        `mint authority changed: ${payer.address} → ${thief.address} by ${payer.address}`,
      ),
    },
    {
      tx_hash: back.signature,
      block_number: slots[1],
      message: expect.stringContaining(
        `mint authority changed: ${thief.address} → ${payer.address} by ${thief.address}`,
      ),
    },
  ]);
});

test("a delegate that is granted on a token account, and its new owner, are found by their instructions", async () => {
  const token = await makeToken(cluster);
  const [holder, thief] = [await funded(), await funded()];
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 900n)]);
  const watched = await world.watch(token.account(holder.address), {
    target_type: "solana_authority_change",
  });
  const rule = await world.rule(watched.id, each);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  cluster.produce([await cluster.run([token.approve(holder, thief.address, 500n)], holder)]);
  cluster.produce([await cluster.run([token.reassign(holder, thief.address)], holder)]);
  await world.runUntilIdle();
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  expect((await eventsOf(rule)).map(({ message }) => message)).toEqual([
    expect.stringContaining(`delegate changed: none → ${thief.address} by ${holder.address}`),
    expect.stringContaining(`owner changed: ${holder.address} → ${thief.address} by ${holder.address}`),
  ]);
});

test("an approval and a new owner within one batch of a token program are found", async () => {
  const token = await makeToken(cluster);
  const [holder, thief] = [await funded(), await funded()];
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 900n)]);
  const account = token.account(holder.address);
  const changes = await world.watch(account, { target_type: "solana_authority_change" });
  const grants = await world.watch(holder.address, { target_type: "solana_delegation", config: {} });
  const rules = [await world.rule(changes.id, each), await world.rule(grants.id, each)] as const;
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  const parts = [token.approve(holder, thief.address, 500n), token.reassign(holder, thief.address)];
  cluster.produce([inOneBatch(await cluster.run(parts, holder))]);
  await world.runUntilIdle();
  // Both are of the same transaction, so that their order in the history is open.
  expect((await eventsOf(rules[0])).map(({ message }) => message).sort()).toEqual([
    expect.stringContaining(`delegate changed: none → ${thief.address}`),
    expect.stringMatching(new RegExp(`owner changed: .* → ${thief.address}`)),
  ]);
  expect(await eventsOf(rules[1])).toHaveLength(2);
});

test("a transfer names who sent and who received it", async () => {
  const token = await makeToken(cluster, 0);
  const [holder, other] = [await funded(), await funded()];
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 900n)]);
  await cluster.run([token.open(other.address)]);
  const config = { token: token.mint };
  const rules = [
    await world.rule((await world.watch(holder.address, { target_type: "large_transfer", config })).id, each),
    await world.rule(
      (await world.watch(other.address, { target_type: "large_transfer", config: { native: true } })).id,
      each,
    ),
  ] as const;
  await world.runUntilIdle();
  cluster.produce([await cluster.run([token.transfer(holder, other.address, 300n)], holder)]);
  cluster.produce([await cluster.run([transferSol(cluster.payer, other.address, 2_000_000_000n)])]);
  await world.runUntilIdle();
  expect(await eventsOf(rules[0])).toMatchObject([
    { message: expect.stringContaining("300 tokens"), explanation: { evidence: { to: other.address } } },
  ]);
  expect((await eventsOf(rules[0]))[0]?.message).toMatch(new RegExp(`to .*${other.address.slice(-4)}`));
  expect((await eventsOf(rules[1]))[0]?.message).toContain(`from ${cluster.payer.address}`);
});

test("a permanent delegate and a fee of a Token-2022 mint that change are found by their instructions, and once", async () => {
  const token = await makeFeeToken(cluster);
  const thief = await funded();
  const { payer } = cluster;
  const target = { target_type: "solana_authority_change", config: { account: "token" } };
  const rule = await world.rule((await world.watch(token.mint, target)).id, each);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  cluster.produce([await cluster.run([token.setPermanentDelegate(thief.address)])]);
  cluster.produce([await cluster.run([token.setFee(5_000)])]);
  await world.runUntilIdle();
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  expect((await eventsOf(rule)).map(({ message }) => message)).toEqual([
    expect.stringContaining(`permanent delegate changed: ${payer.address} → ${thief.address}`),
    expect.stringContaining("transfer fee changed: 1 % → 50 %"),
  ]);
});

test("a poll finds a new permanent delegate of a mint whose transactions are not read", async () => {
  const token = await makeFeeToken(cluster);
  const thief = await funded();
  const rule = await world.rule(
    (await world.watch(token.mint, { target_type: "solana_authority_change" })).id,
    each,
  );
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  await cluster.run([token.setPermanentDelegate(thief.address)]);
  await poll();
  const ends = (address: string) => `${address.slice(0, 4)}…${address.slice(-4)}`;
  const change = (write: (address: string) => string) =>
    `permanent delegate changed: ${write(cluster.payer.address)} → ${write(thief.address)}`;
  expect(await eventsOf(rule)).toMatchObject([
    {
      title: expect.stringContaining(change(ends)),
      message: expect.stringContaining(`: ${change(String)}`),
      explanation: {
        evidence: {
          state: expect.stringContaining(
            `permanent-delegate ${thief.address}, fees ${cluster.payer.address}`,
          ),
        },
      },
    },
  ]);
});

test("a transfer with a withheld fee has what was sent for the sender, and what arrived for the recipient", async () => {
  const token = await makeFeeToken(cluster);
  const [holder, other] = [await funded(), await funded()];
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 900n)]);
  await cluster.run([token.open(other.address)]);
  const target = { target_type: "large_transfer", config: { token: token.mint } };
  const rules = [
    await world.rule((await world.watch(holder.address, target)).id, each),
    await world.rule((await world.watch(other.address, target)).id, each),
  ] as const;
  await world.runUntilIdle();
  const sent = await cluster.run([token.transfer(holder, other.address, 300n)], holder);
  expect(sent.hasFailed).toBe(false);
  cluster.produce([sent]);
  await world.runUntilIdle();
  expect((await eventsOf(rules[0])).map(({ message }) => message)).toEqual([
    expect.stringContaining("sent 300 tokens"),
  ]);
  expect((await eventsOf(rules[1])).map(({ message }) => message)).toEqual([
    expect.stringContaining("received 297 tokens"),
  ]);
});

/** Lets the next poll of a target read the state. */
async function poll() {
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
}

test("a new authority of a durable nonce is found by polling, with the transaction and who made it, and its use is not", async () => {
  const [nonce, holder, thief] = [await generateKeyPairSigner(), await funded(), await funded()];
  const recent = readonly("SysvarRecentB1ockHashes11111111111111111111");
  const create = Buffer.alloc(52);
  create.writeBigUInt64LE(cluster.svm.minimumBalanceForRentExemption(80n), 4);
  create.writeBigUInt64LE(80n, 12);
  const initialise = [
    writable(nonce.address),
    recent,
    readonly("SysvarRent111111111111111111111111111111111"),
  ];
  await cluster.run([
    system([signing(cluster.payer), signing(nonce)], create),
    system(initialise, Buffer.of(6, 0, 0, 0), bytesOfAddress(holder.address)),
  ]);
  const target = { target_type: "solana_authority_change", config: { account: "nonce" } };
  const rule = await world.rule((await world.watch(nonce.address, target)).id, each);
  await world.runUntilIdle();
  await poll();
  const advance = system([writable(nonce.address), recent, signing(holder)], Buffer.of(4, 0, 0, 0));
  cluster.produce([await cluster.run([advance], holder)]);
  await poll();
  expect(await eventsOf(rule)).toEqual([]);
  const given = await cluster.run(
    [
      system(
        [writable(nonce.address), signing(holder)],
        Buffer.of(7, 0, 0, 0),
        bytesOfAddress(thief.address),
      ),
    ],
    holder,
  );
  const used = await cluster.run([
    system([writable(nonce.address), recent, signing(thief)], Buffer.of(4, 0, 0, 0)),
  ]);
  cluster.produce([given]);
  cluster.produce([used]);
  await poll();
  expect(await eventsOf(rule)).toMatchObject([
    {
      tx_hash: given.signature,
      message: expect.stringMatching(
        new RegExp(`durable nonce changed: ${holder.address} → ${thief.address} by ${holder.address}`),
      ),
    },
  ]);
});

test("a new update authority of the metadata of a token is found by polling, with the transaction and who made it", async () => {
  const token = await makeToken(cluster);
  const [holder, thief] = [await funded(), await funded()];
  const metadata = tokenMetadataOf(token.mint);
  const put = (authority: string) => {
    const data = Buffer.concat([Buffer.of(4), bytesOfAddress(authority), bytesOfAddress(token.mint)]);
    cluster.svm.setAccount({
      ...{ address: metadata as Address, data, space: 65n, executable: false, lamports: lamports(9n) },
      programAddress: tokenMetadataProgram as Address,
    });
  };
  put(holder.address);
  const watched = await world.watch(token.mint, { target_type: "solana_authority_change" });
  const rule = await world.rule(watched.id, each);
  await world.runUntilIdle();
  await poll();
  await poll();
  expect(await eventsOf(rule)).toEqual([]);
  put(thief.address);
  const ran = await cluster.run([transferSol(holder, thief.address, 1n)], holder);
  const update = { program: tokenMetadataProgram, accounts: [metadata, holder.address], data: Buffer.of(15) };
  cluster.produce([withInstruction(ran, update)]);
  await poll();
  expect(await eventsOf(rule)).toMatchObject([
    {
      tx_hash: ran.signature,
      message: expect.stringMatching(
        new RegExp(
          `: update authority of the metadata changed: ${holder.address} → ${thief.address} by ${holder.address}`,
        ),
      ),
    },
  ]);
});

function system(accounts: Instruction["accounts"], ...data: Uint8Array[]): Instruction {
  return { programAddress: systemProgram as Address, accounts: accounts ?? [], data: Buffer.concat(data) };
}
