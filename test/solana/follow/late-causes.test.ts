import { type Address, generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test, vi } from "vitest";
import { bytesOfAddress } from "../../../src/chains/solana/accounts/address.ts";
import { systemProgram } from "../../../src/chains/solana/accounts/nonce-account.ts";
import { readonly, renamed, signing, writable } from "../cluster/cluster.ts";
import { memo } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld();
const { cluster, nodes } = world;
const recent = readonly("SysvarRecentB1ockHashes11111111111111111111");

function system(accounts: Instruction["accounts"], ...data: Uint8Array[]): Instruction {
  return { programAddress: systemProgram as Address, accounts: accounts ?? [], data: Buffer.concat(data) };
}

async function poll() {
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
}

/** Has nodes return no transaction until the function that it returns is called. */
function holdTransactions(): () => void {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  for (const { faults } of nodes) faults.held = { method: "getTransaction", until };
  return () => {
    for (const { faults } of nodes) faults.held = undefined;
    resolve();
  };
}

/** A durable nonce whose authority is watched, and which can be given to a thief. */
async function watchNonce(rules = 1) {
  const [nonce, holder, thief] = await Promise.all([0, 1, 2].map(() => generateKeyPairSigner()));
  if (!nonce || !holder || !thief) throw new Error("no keys");
  cluster.svm.airdrop(holder.address, lamports(10_000_000_000n));
  const create = Buffer.alloc(52);
  create.writeBigUInt64LE(cluster.svm.minimumBalanceForRentExemption(80n), 4);
  create.writeBigUInt64LE(80n, 12);
  const rent = readonly("SysvarRent111111111111111111111111111111111");
  await cluster.run([
    system([signing(cluster.payer), signing(nonce)], create),
    system([writable(nonce.address), recent, rent], Buffer.of(6, 0, 0, 0), bytesOfAddress(holder.address)),
  ]);
  const watched = await world.watch(nonce.address, {
    target_type: "solana_authority_change",
    config: { account: "nonce" },
  });
  for (let at = 0; at < rules; at++)
    await world.rule(watched.id, { aggregation: "each", window_seconds: undefined });
  await world.runUntilIdle();
  await poll();
  return {
    nonce,
    holder,
    give: () =>
      cluster.run(
        [
          system(
            [writable(nonce.address), signing(holder)],
            Buffer.of(7, 0, 0, 0),
            bytesOfAddress(thief.address),
          ),
        ],
        holder,
      ),
    eventsOf: async () => (await world.events()).filter(({ target_id }) => target_id === watched.id),
  };
}

test("a polled change is found behind many later transactions of the account and of its old authority", async () => {
  const { nonce, holder, give, eventsOf } = await watchNonce();
  const given = await give();
  cluster.produce([given]);
  const noise = { ...(await cluster.run([memo("noise")])), accounts: [nonce.address, holder.address] };
  for (let slot = 0; slot < 5; slot++)
    cluster.produce(Array.from({ length: 10 }, (_, at) => renamed(noise, slot * 10 + at)));
  await poll();
  await vi.waitFor(
    async () =>
      expect(await eventsOf()).toMatchObject([
        { tx_hash: given.signature, message: expect.stringContaining(` by ${holder.address}`) },
      ]),
    { timeout: 20_000 },
  );
});

test("an alert about a polled change is amended without another notification when nodes return the transaction late", async () => {
  const { holder, give, eventsOf } = await watchNonce();
  const given = await give();
  cluster.produce([given]);
  const release = holdTransactions();
  await poll();
  expect(await eventsOf()).toMatchObject([{ tx_hash: null }]);
  const notices = await world.notices();
  release();
  await vi.waitFor(
    async () =>
      expect(await eventsOf()).toMatchObject([
        {
          tx_hash: given.signature,
          message: expect.stringContaining(` by ${holder.address}`),
          explanation: {
            evidence: { sender: holder.address },
            links: { tx: expect.stringContaining(given.signature) },
          },
        },
      ]),
    { timeout: 20_000 },
  );
  await poll();
  expect(await eventsOf()).toHaveLength(1);
  expect(await world.notices()).toEqual(notices);
});

test("an alert that was retracted before its transaction is found stays as it was", async () => {
  const { eventsOf, give } = await watchNonce(2);
  cluster.produce([await give()]);
  const release = holdTransactions();
  await poll();
  const [retracted, other] = (await eventsOf()).map(({ id }) => id);
  const { db } = world.h.app;
  await db
    .updateTable("alert_events")
    .set({ status: "retracted" })
    .where("id", "=", retracted ?? "")
    .execute();
  release();
  const transactionOf = async (id: string | undefined) =>
    (await eventsOf()).find((event) => event.id === id)?.tx_hash;
  await vi.waitFor(async () => expect(await transactionOf(other)).not.toBeNull(), { timeout: 20_000 });
  await poll();
  expect(await transactionOf(retracted)).toBeNull();
});
