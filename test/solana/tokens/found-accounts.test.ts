import { generateKeyPairSigner } from "@solana/kit";
import { expect, test } from "vitest";
import type { TokenAccount } from "../../../src/chains/family.ts";
import { raiseSystemAlerts } from "../../../src/domain/alerts/system-alerts.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { longTest } from "../../support/run-size.ts";
import { type ExecutedTransaction, renamed } from "../cluster/cluster.ts";
import { makeToken, transferSol } from "../cluster/programs.ts";
import { resume } from "../resume.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld({ clock: fastClock(20) });
const { cluster } = world;
const each = { aggregation: "each", window_seconds: undefined };

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
  const statusReason = async () => {
    const reply = await world.owner.client.get(`/contracts/${watched.contract_id}`);
    return (reply.body as { status_reason: string | null }).status_reason;
  };
  const { contract_id } = watched;
  return { wallet, contract_id, statusReason, token, before, openWith, alerts, alertOf };
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
  failSearches(true);
  const unsearched = await openWith(20n);
  const second = cluster.produce([unsearched.ran]);
  await pass(7);
  expect(await alerts()).toHaveLength(1);
  failSearches(false);
  cluster.produce([], { seconds: 700, skipped: 30 });
  await pass(3);
  expect(await alerts()).toEqual([alertOf(stopped.ran, first, 10), alertOf(unsearched.ran, second, 20)]);
});

test("an account that is opened for a wallet, filled, emptied and closed between two searches loses no transfer", async () => {
  const { wallet, token, before, openWith, alerts, alertOf } = await makeWallet();
  const opened = await openWith(30n);
  const first = cluster.produce([opened.ran]);
  const more = await cluster.run([token.mintInto(opened.account, 4n)]);
  const second = cluster.produce([more]);
  const closed = await cluster.run(token.closeAt(opened.account, wallet, before.account, 34n));
  expect(closed.hasFailed).toBe(false);
  cluster.produce([closed]);
  await world.runUntilIdle();
  await pass(3);
  expect(await alerts()).toEqual([alertOf(more, second, 4), alertOf(opened.ran, first, 30)]);
});

test("a search that fails is reported, and transfers into an account that was opened meanwhile are read later, however many blocks it took", async () => {
  const { contract_id, statusReason, token, before, openWith, alerts, alertOf } = await makeWallet();
  failSearches(true);
  const opened = await openWith(20n);
  const first = cluster.produce([opened.ran]);
  const touch = await cluster.run([transferSol(cluster.payer, before.account, 1n)]);
  for (let block = 0; block < 140; block++) cluster.produce([renamed(touch, block)], { skipped: 1 });
  const known = await cluster.run([token.mintInto(before.account, 3n)]);
  const second = cluster.produce([known]);
  await pass(14);
  expect(await alerts()).toEqual([alertOf(known, second, 3)]);
  expect(await statusReason()).toMatch(/^The nodes cannot list the token accounts of this address since /);
  await raiseSystemAlerts(world.h.app);
  const reported = async () =>
    (await world.events()).filter(({ explanation }) => explanation?.reason === "unsearched");
  expect(await reported()).toMatchObject([{ status: "firing", explanation: { reason: "unsearched" } }]);
  failSearches(false);
  cluster.produce([], { seconds: 700, skipped: 30 });
  await pass(4);
  expect(await statusReason()).toContain(
    `The address ${opened.account} is a token account that was found late`,
  );
  world.h.clock.advance(61);
  await resume(world, contract_id);
  await pass(2);
  expect(await alerts()).toEqual([alertOf(known, second, 3), alertOf(opened.ran, first, 20)]);
  await raiseSystemAlerts(world.h.app);
  expect(await reported()).toMatchObject([{ status: "resolved" }]);
});

test("a token that cannot be listed any more is named in the status and searched rarely, and delays no account of another token, also after a restart", async () => {
  const { wallet, contract_id, statusReason, token, before, openWith, alerts, alertOf } = await makeWallet();
  const closed = await makeToken(cluster, 0);
  cluster.produce([closed.made]);
  await addToken(contract_id, closed.mint);
  const asked: string[] = [];
  failSearches((mint) => {
    asked.push(mint);
    return mint === closed.mint;
  });
  await pass(14);
  const asksFor = (mint: string) => asked.filter((one) => one === mint).length;
  expect(asksFor(closed.mint)).toBeLessThan(asksFor(token.mint) - 2);
  const opened = await openWith(30n);
  const known = await cluster.run([token.mintInto(before.account, 2n)]);
  const first = cluster.produce([opened.ran, known]);
  await pass(2);
  const both = [alertOf(known, first, 2), alertOf(opened.ran, first, 30)];
  expect(await alerts()).toEqual(both);
  const problem = `The nodes cannot list the accounts of this address of the token ${closed.mint} since `;
  expect(await statusReason()).toContain(problem);
  await world.restart();
  const later = await openWith(40n);
  const second = cluster.produce([later.ran]);
  await pass(3);
  expect(await statusReason()).toContain(problem);
  expect(await alerts()).toEqual([...both, alertOf(later.ran, second, 40)]);
  expect(await accountsOf(contract_id, closed.mint)).toEqual([closed.account(wallet.address)]);
  failSearches(false);
  cluster.produce([], { seconds: 700, skipped: 30 });
  await pass(2);
  expect(await statusReason()).toBeNull();
});

test("the status says how many token accounts of a wallet are too many to be followed", async () => {
  const { statusReason, openWith } = await makeWallet();
  expect(await statusReason()).toBeNull();
  const opened = [];
  for (let amount = 2n; amount < 24n; amount++) opened.push((await openWith(amount)).ran);
  cluster.produce(opened);
  await world.runUntilIdle();
  await pass(2);
  expect(await statusReason()).toMatch(
    /^3 token accounts of this address are not followed, because .* 20 others/,
  );
});

longTest(
  "strangers who show accounts of a token that cannot be searched do not have more followed because another token is searched",
  async () => {
    const { wallet, contract_id, token, openWith } = await makeWallet();
    const other = await makeToken(cluster, 0);
    cluster.produce([other.made]);
    await addToken(contract_id, other.mint);
    failSearches((mint) => mint === token.mint);
    for (let round = 0; round < 3; round++) {
      const shown = [];
      for (let count = 0; count < 12; count++) {
        const { account } = await openWith(1n);
        shown.push(
          await cluster.run([
            token.mintInto(account, 1n),
            transferSol(cluster.payer, wallet.address, 1_000_000n),
          ]),
        );
      }
      cluster.produce(shown);
      await world.runUntilIdle();
      await pass(1);
    }
    expect(await accountsOf(contract_id, token.mint)).toHaveLength(2 + 20);
    failSearches(false);
  },
);

test("strangers who show many token accounts of a wallet have only some of them followed", async () => {
  const { wallet, contract_id, token, openWith } = await makeWallet();
  failSearches(true);
  const shown = [];
  for (let count = 0; count < 30; count++) {
    const { account } = await openWith(1n);
    shown.push(
      await cluster.run([
        token.mintInto(account, 1n),
        transferSol(cluster.payer, wallet.address, 1_000_000n),
      ]),
    );
  }
  cluster.produce(shown);
  await world.runUntilIdle();
  // Beside the associated account and the one that a search found.
  expect(await accountsOf(contract_id, token.mint)).toHaveLength(2 + 20);
  failSearches(false);
});

/** Has the transfers of another token measured, and its accounts found. */
async function addToken(contract_id: string, mint: string) {
  const target = { target_type: "large_transfer", config: { token: mint } };
  await world.owner.client.post(`/contracts/${contract_id}/targets`, target);
  await pass(2);
}

/** The accounts of a token that are followed. */
async function accountsOf(contract_id: string, mint: string): Promise<string[]> {
  const { token_accounts } = await world.h.app.db
    .selectFrom("contracts")
    .select("token_accounts")
    .where("id", "=", contract_id)
    .executeTakeFirstOrThrow();
  // The service wrote the column.
  return ((token_accounts ?? []) as TokenAccount[])
    .filter((one) => one.mint === mint)
    .map(({ account }) => account);
}

/** Has the node list no token accounts, or none of some tokens. */
function failSearches(isFailing: boolean | ((mint: string) => boolean)): void {
  const [node] = world.nodes;
  if (!node) throw new Error("there is no node");
  node.faults.rewrite = isFailing
    ? ({ method, params }, reply) =>
        method === "getTokenAccountsByOwner" &&
        (isFailing === true || isFailing((params[1] as { mint: string }).mint))
          ? { error: { code: -32012, message: "scan aborted" } }
          : reply
    : undefined;
}
