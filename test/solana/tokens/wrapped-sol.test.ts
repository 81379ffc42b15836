import {
  type Address,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  lamports,
} from "@solana/kit";
import { expect, test } from "vitest";
import {
  bytesOfAddress,
  tokenAccountsOf,
  tokenProgram,
} from "../../../src/chains/solana/accounts/address.ts";
import { readonly, signing, writable } from "../cluster/cluster.ts";
import { transferSol } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;
const { payer, svm } = cluster;
svm.withNativeMints();
const wrapped = "So11111111111111111111111111111111111111112";
const systemProgram = "11111111111111111111111111111111";
const each = { aggregation: "each", window_seconds: undefined };
const sol = 1_000_000_000n;

async function funded() {
  const signer = await generateKeyPairSigner();
  svm.airdrop(signer.address, lamports(10n * sol));
  return signer;
}

const accountOf = (holder: string) => tokenAccountsOf(holder, wrapped)[0] as string;
const token = (accounts: Instruction["accounts"], ...data: Buffer[]): Instruction => ({
  ...{ programAddress: tokenProgram as Address, accounts: accounts ?? [], data: Buffer.concat(data) },
});
const open = (holder: string): Instruction => ({
  programAddress: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL" as Address,
  accounts: [
    ...[signing(payer), writable(accountOf(holder)), readonly(holder), readonly(wrapped)],
    ...[readonly(systemProgram), readonly(tokenProgram)],
  ],
  data: Buffer.of(1),
});
const wrap = (holder: KeyPairSigner, amount: bigint) => [
  transferSol(holder, accountOf(holder.address), amount),
  token([writable(accountOf(holder.address))], Buffer.of(17)),
];
const close = (by: KeyPairSigner, account: string, to: string) =>
  token([writable(account), writable(to), signing(by)], Buffer.of(9));

async function land(...instructions: Instruction[]) {
  const ran = await cluster.run(instructions);
  if (ran.hasFailed) throw new Error(JSON.stringify(ran.meta));
  const block_number = cluster.produce([ran]);
  await world.runUntilIdle();
  return { tx_hash: ran.signature, block_number };
}

/** Watches what a wallet transfers, in wrapped SOL and in SOL. */
async function watchTransfers(address: string) {
  const own = { target_type: "large_transfer", config: { token: wrapped } };
  const target = await world.watch(address, own);
  const native = { target_type: "large_transfer", config: { native: true, min_amount: 0.1 } };
  const added = await world.owner.client.post(`/contracts/${target.contract_id}/targets`, native);
  const rules = [
    await world.rule(target.id, each),
    await world.rule((added.body as { id: string }).id, each),
  ];
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  const events = async (at: number) =>
    (await world.events())
      .filter(({ rule_id }) => rule_id === rules[at])
      .toReversed()
      .map(({ message, tx_hash, block_number }) => ({ message, tx_hash, block_number }));
  return { tokens: () => events(0), native: () => events(1) };
}

test("SOL that a wallet wraps and unwraps is measured as SOL and as wrapped SOL, with the account on the other side", async () => {
  const holder = await funded();
  const account = accountOf(holder.address);
  await cluster.run([open(holder.address)]);
  const transfers = await watchTransfers(holder.address);
  const wrapping = await land(...wrap(holder, 3n * sol));
  const unwrapping = await land(close(holder, account, holder.address));
  expect(await transfers.tokens()).toEqual([
    { ...wrapping, message: expect.stringMatching(/received 3 tokens .* from Watched/) },
    { ...unwrapping, message: expect.stringMatching(/sent 3 tokens .* to Watched/) },
  ]);
  expect(await transfers.native()).toEqual([
    { ...wrapping, message: expect.stringContaining(`sent 3 SOL to ${account}`) },
    { ...unwrapping, message: expect.stringMatching(`received 3.\\d+ SOL from ${account}`) },
  ]);
});

test("SOL that arrives in an account of wrapped SOL is measured once it is synchronised", async () => {
  const holder = await funded();
  const account = accountOf(holder.address);
  await cluster.run([open(holder.address)]);
  const transfers = await watchTransfers(holder.address);
  await land(transferSol(payer, account, 2n * sol));
  expect(await transfers.tokens()).toEqual([]);
  const synchronised = await land(token([writable(account)], Buffer.of(17)));
  expect(await transfers.tokens()).toEqual([
    { ...synchronised, message: expect.stringContaining("received 2 tokens") },
  ]);
});

test("wrapped SOL that a close authority takes is reported with its amount and with who got it", async () => {
  const [holder, thief] = [await funded(), await funded()];
  const account = accountOf(holder.address);
  await cluster.run([open(holder.address), ...wrap(holder, 4n * sol)]);
  await cluster.run([
    token([writable(account), signing(holder)], Buffer.of(6, 3, 1), bytesOfAddress(thief.address)),
  ]);
  const transfers = await watchTransfers(holder.address);
  const taken = await land(close(thief, account, thief.address));
  expect(await transfers.tokens()).toEqual([
    { ...taken, message: expect.stringMatching(new RegExp(`sent 4 tokens .* to ${thief.address}`)) },
  ]);
  expect(await transfers.native()).toEqual([]);
});
