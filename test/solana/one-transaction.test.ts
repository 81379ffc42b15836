import {
  type Address,
  createAddressWithSeed,
  generateKeyPairSigner,
  type Instruction,
  lamports,
} from "@solana/kit";
import { expect, test } from "vitest";
import { bytesOfAddress, tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import { readonly, signing, writable } from "./cluster/cluster.ts";
import { makeToken, transferSol } from "./cluster/programs.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;
const { payer, svm } = cluster;
const each = { aggregation: "each", window_seconds: undefined };
const systemProgram = "11111111111111111111111111111111";

async function funded() {
  const signer = await generateKeyPairSigner();
  svm.airdrop(signer.address, lamports(10_000_000_000n));
  return signer;
}

async function messagesOf(rule_id: string) {
  const events = (await world.events()).filter((event) => event.rule_id === rule_id);
  return events
    .toSorted((a, b) => Number(a.block_number) - Number(b.block_number))
    .map((event) => event.message);
}

async function watched(address: string, target: { target_type: string; config?: object }) {
  const rule = await world.rule((await world.watch(address, target)).id, each);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  return rule;
}

/** Executes instructions, which must succeed, in one transaction. */
async function land(...instructions: Instruction[]) {
  const ran = await cluster.run(instructions);
  if (ran.hasFailed) throw new Error(JSON.stringify(ran.meta));
  cluster.produce([ran]);
  await world.runUntilIdle();
}

const system = (accounts: Instruction["accounts"], ...data: Buffer[]): Instruction => ({
  ...{ programAddress: systemProgram as Address, accounts: accounts ?? [], data: Buffer.concat(data) },
});

test("a mint authority that is taken, used and given back within one transaction raises an alert for each change", async () => {
  const token = await makeToken(cluster);
  const thief = await funded();
  await cluster.run([token.open(thief.address)]);
  const rule = await watched(token.mint, {
    target_type: "solana_authority_change",
    config: { account: "token" },
  });
  const mint = token.mintTo(thief.address, 1_000n);
  const accounts = (mint.accounts ?? []).map((account) =>
    account.address === payer.address ? signing(thief) : account,
  );
  await land(
    token.setMintAuthority(payer, thief.address),
    { ...mint, accounts },
    token.setMintAuthority(thief, payer.address),
  );
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  const messages = await messagesOf(rule);
  expect(messages).toHaveLength(2);
  for (const change of [`${payer.address} → ${thief.address}`, `${thief.address} → ${payer.address}`])
    expect(messages).toContainEqual(expect.stringContaining(`mint authority changed: ${change}`));
});

test("a transfer in a transaction with a durable nonce is measured", async () => {
  const [nonce, holder, other] = [await generateKeyPairSigner(), await funded(), await funded()];
  const recent = readonly("SysvarRecentB1ockHashes11111111111111111111");
  const create = Buffer.alloc(52);
  create.writeBigUInt64LE(svm.minimumBalanceForRentExemption(80n), 4);
  create.writeBigUInt64LE(80n, 12);
  await land(
    system([signing(payer), signing(nonce)], create),
    system(
      [writable(nonce.address), recent, readonly("SysvarRent111111111111111111111111111111111")],
      Buffer.of(6, 0, 0, 0),
      bytesOfAddress(holder.address),
    ),
  );
  const rule = await watched(holder.address, {
    target_type: "large_transfer",
    config: { native: true, direction: "out" },
  });
  const advance = system([writable(nonce.address), recent, signing(holder)], Buffer.of(4, 0, 0, 0));
  await land(advance, transferSol(holder, other.address, 2_000_000_000n));
  expect(await messagesOf(rule)).toEqual([expect.stringContaining("sent 2 SOL")]);
});

test("a monitored token account that is given away has sent what it held", async () => {
  const token = await makeToken(cluster, 0);
  const [holder, thief] = [await funded(), await funded()];
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 900n)]);
  const config = { token: token.mint, direction: "out" };
  const rule = await watched(token.account(holder.address), { target_type: "large_transfer", config });
  await land(token.reassign(holder, thief.address));
  expect(await messagesOf(rule)).toEqual([expect.stringContaining("sent 900 tokens")]);
});

test("an account with a seed that its base assigns to a program is reported", async () => {
  const holder = await funded();
  const seed = Buffer.from("savings");
  const account = await createAddressWithSeed({
    ...{ baseAddress: holder.address, programAddress: tokenProgram as Address, seed: "savings" },
  });
  const rule = await watched(holder.address, { target_type: "solana_delegation", config: {} });
  await land(
    transferSol(payer, account, 2_000_000_000n),
    system(
      [writable(account), signing(holder)],
      ...[
        Buffer.of(10, 0, 0, 0),
        bytesOfAddress(holder.address),
        Buffer.of(seed.length, 0, 0, 0, 0, 0, 0, 0),
      ],
      ...[seed, bytesOfAddress(tokenProgram)],
    ),
  );
  expect(await messagesOf(rule)).toHaveLength(1);
});
