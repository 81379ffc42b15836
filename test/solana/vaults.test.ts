import { createHash } from "node:crypto";
import { type Address, generateKeyPairSigner, lamports } from "@solana/kit";
import { expect, test, vi } from "vitest";
import { addressOfBytes, token2022Program } from "../../src/chains/solana/accounts/address.ts";
import { raiseSystemAlerts } from "../../src/domain/alerts/system-alerts.ts";
import { inspectDue } from "../../src/domain/inspection/inspect-due.ts";
import { longTest } from "../support/run-size.ts";
import { makeToken } from "./cluster/programs.ts";
import { makeFeeToken } from "./cluster/token-2022.ts";
import { deployRouter, deployVaultProgram, withLookupTable } from "./cluster/vault-program.ts";
import { makeVaultWorld } from "./vault-world.ts";

const vaultWorld = await makeVaultWorld();
const { world, node, land, holderOf, makeVault, protect, recommendedAt, pass } = vaultWorld;
const { toUser, fromUser, followed, untilFollowed, tokensFoundAt, putTokenAccount } = vaultWorld;
const { cluster, owner, h } = world;
const drainTemplates = ["asset_drained", "asset_down_in_a_day"];

// The first test, because other programs would be searched as well.
test("a program is searched once for all organisations, fetches each of its transactions once, and is in the estimate", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const bank = await makeVault(token, user, 1_000_000n);
  const target = { target_type: "token_balance", config: { token: token.mint } };
  const body = { chain: "solana", address: bank.program, label: "Bank", selected_targets: [target] };
  const contracts: string[] = [];
  for (const { client } of [owner, await h.person(), await h.person()])
    contracts.push(((await client.post("/contracts", body)).body as { id: string }).id);
  const before = node.calls.length;
  const made = (method: string) => node.calls.slice(before).filter((call) => call === method).length;
  await vi.waitFor(
    async () => {
      await pass(1);
      expect(made("getTransaction")).toBe(2);
    },
    { timeout: 20_000, interval: 20 },
  );
  const late = await generateKeyPairSigner();
  await land(...token.openAt(late, bank.authority));
  await land(bank.move(fromUser(token, user, late.address, 2_000_000n)));
  // From then on, the balance of the vaults is read instead of the token accounts of the program.
  for (const id of contracts) await untilFollowed(id, [bank.vault]);
  const estimate = world.pace()?.callsPerDay ?? 0;
  await pass(3_700);
  for (const id of contracts) await untilFollowed(id, [bank.vault, late.address]);
  expect(made("getSignaturesForAddress")).toBe(2);
  expect(made("getTransaction")).toBe(3);
  // The first search has fetched two transactions, the second one.
  expect(estimate - (world.pace()?.callsPerDay ?? 0)).toBe(24);
});

test("a drain of a vault fires the recommended templates of its program, with nothing else registered", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const bank = await makeVault(token, user, 8_000_000n);
  const program = await protect(bank.program);
  expect(program.names).toEqual(drainTemplates);
  expect(await followed(program.id)).toEqual([bank.vault]);
  await pass(1, 90, 90);
  expect((await world.targets(program.id)).map(({ last_value }) => last_value)).toEqual([7.999999]);
  expect(await program.fired()).toEqual([]);
  const thief = await holderOf(token, 0n);
  await land(bank.move({ ...toUser(token, thief, bank.vault, 7_000_000n), owner: bank.authority }));
  await pass(90);
  expect(await program.fired()).toEqual(drainTemplates.toSorted());
});

test("vaults that appear later, and quiet ones of the same owner, are followed, and their drain fires", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 90_000_000n);
  const bank = await makeVault(token, user, 1_000_000n);
  const [quiet, late] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  // It is in no transaction of the program.
  await land(...token.openAt(quiet, bank.authority), token.mintInto(quiet.address, 500_000n));
  const program = await protect(bank.program);
  await untilFollowed(program.id, [bank.vault, quiet.address]);
  await land(...token.openAt(late, bank.authority));
  await land(bank.move(fromUser(token, user, late.address, 50_000_000n)));
  await pass(3_700);
  await untilFollowed(program.id, [bank.vault, quiet.address, late.address]);
  await pass(90, 700, 90);
  expect((await world.targets(program.id)).map(({ last_value }) => last_value)).toEqual([51.499999]);
  expect(await program.fired()).toEqual([]);
  await land(bank.pay(late.address, 49_000_000n));
  await pass(90);
  expect(await program.fired()).toEqual(["asset_drained"]);
});

test("a drain of a vault of Token-2022 fires, although a fee is withheld from what arrives", async () => {
  const token = await makeFeeToken(cluster, 6);
  const [user, creator] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  await land(token.open(user.address), token.mintTo(user.address, 9_000_000n));
  const bytesOf = (address: string) => {
    const account = cluster.svm.getAccount(address as Address);
    return account.exists ? account.data.length : 0;
  };
  const bank = await deployVaultProgram(cluster, {
    tokenProgram: token2022Program,
    accountBytes: bytesOf(token.account(user.address)),
    checked: { mint: token.mint, bytes: bytesOf(token.mint), decimals: 6 },
  });
  await land(token.open(bank.authority), token.open(creator.address));
  const [own, vault] = [token.account(user.address), token.account(bank.authority)];
  await land(bank.move({ from: own, to: vault, owner: user, amount: 8_000_000n }));
  await land(bank.move({ from: vault, to: own, owner: bank.authority, amount: 100n }));
  const program = await protect(bank.program);
  expect(program.names).toEqual(drainTemplates);
  await pass(1, 90, 90);
  expect((await world.targets(program.id)).map(({ last_value }) => last_value)).toEqual([7.9199]);
  await land(
    bank.move({ from: vault, to: token.account(creator.address), owner: bank.authority, amount: 7_000_000n }),
  );
  await pass(90);
  expect(await program.fired()).toEqual(drainTemplates.toSorted());
});

test("a vault of a program that has only taken deposits is found by the account of its authority", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const [owning, other] = [
    await deployVaultProgram(cluster, undefined, { ownsAuthority: true }),
    await deployVaultProgram(cluster),
  ];
  for (const program of [owning, other]) {
    await land(token.open(program.authority));
    await land(program.move(fromUser(token, user, token.account(program.authority), 1_000_000n)));
  }
  expect(await tokensFoundAt(owning.program)).toEqual([token.mint]);
  // Nothing shows whose the authority of the other program is, until it signs.
  expect(await tokensFoundAt(other.program)).toEqual([]);
  const vault = token.account(other.authority);
  await land(other.move({ ...toUser(token, user, vault, 1n), owner: other.authority }));
  expect(await tokensFoundAt(other.program)).toEqual([token.mint]);
});

test("transfers out of a vault are measured with their recipient, also if a lookup table names the accounts, and a new vault is followed soon", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const bank = await deployVaultProgram(cluster);
  const vault = token.account(bank.authority);
  await land(token.open(bank.authority));
  await land(bank.move(fromUser(token, user, vault, 5_000_000n)));
  const pay = () =>
    cluster.run([bank.move({ ...toUser(token, user, vault, 2_000_000n), owner: bank.authority })]);
  cluster.produce([withLookupTable(await pay())]);
  const config = { token: token.mint, direction: "out" };
  const target = await world.watch(bank.program, { target_type: "large_transfer", config });
  await world.rule(target.id);
  await untilFollowed(target.contract_id, [vault]);
  cluster.produce([await pay()]);
  await pass();
  const [event] = (await world.events()).filter(({ contract_id }) => contract_id === target.contract_id);
  expect(event?.message).toContain(`sent 2 tokens (${token.mint.slice(0, 4)}`);
  expect(event?.message).toContain(user.address);
  // A transaction of the program shows a new vault, which is not followed only an hour later.
  const late = await generateKeyPairSigner();
  await land(...token.openAt(late, bank.authority));
  await land(bank.move(fromUser(token, user, late.address, 1_000_000n)));
  await pass(610);
  await untilFollowed(target.contract_id, [vault, late.address]);
});

test("a token account of a user is not taken for a vault of the program that moves it", async () => {
  const token = await makeToken(cluster);
  const [user, friend] = [await holderOf(token, 9_000_000n), await holderOf(token, 1_000_000n)];
  const program = await deployVaultProgram(cluster);
  await land(program.move(fromUser(token, user, token.account(friend.address), 1_000_000n)));
  expect(await tokensFoundAt(program.program)).toEqual([]);
});

test("vaults of pools are not attributed to a router that calls them, and belong to their pool in spite of it", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const pool = await makeVault(token, user, 5_000_000n);
  const owning = await deployVaultProgram(cluster, undefined, { ownsAuthority: true });
  await land(token.open(owning.authority));
  const [router, depositing] = [await deployRouter(cluster), await deployRouter(cluster, { signs: true })];
  await land(router.route(pool.pay(pool.vault, 1_000n)));
  const deposit = owning.move(fromUser(token, user, token.account(owning.authority), 1_000n));
  await land(depositing.route(deposit));
  expect(await tokensFoundAt(router.program)).toEqual([]);
  expect(await tokensFoundAt(depositing.program)).toEqual([]);
  expect(await tokensFoundAt(pool.program)).toEqual([token.mint]);
  expect(await tokensFoundAt(owning.program)).toEqual([token.mint]);
});

test("vaults that transactions show are found also if the accounts of their owner cannot be listed", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const bank = await makeVault(token, user, 5_000_000n);
  node.faults.failing.set(bank.authority, "hangs");
  expect(await tokensFoundAt(bank.program)).toEqual([token.mint]);
  node.faults.failing.clear();
});

test("an account for which the caller of a program signs is attributed to the caller only", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const program = await deployVaultProgram(cluster);
  const wallet = await deployRouter(cluster, { signs: true });
  const held = token.account(wallet.authority);
  await land(token.open(wallet.authority), token.mintTo(wallet.authority, 5_000_000n));
  // The program moves tokens of a smart wallet, with the signature that the wallet passes on.
  await land(wallet.route(program.move({ ...toUser(token, user, held, 1_000n), owner: wallet.authority })));
  expect(await tokensFoundAt(program.program)).toEqual([]);
});

longTest(
  "a program that cannot be searched delays no other program and no other address, and is searched again",
  async () => {
    const token = await makeToken(cluster);
    const user = await holderOf(token, 90_000_000n);
    const [hanging, healthy] = [
      await makeVault(token, user, 1_000_000n),
      await makeVault(token, user, 2_000_000n),
    ];
    node.faults.failing.set(hanging.program, "hangs");
    const target = { target_type: "token_balance", config: { token: token.mint } };
    const failed = await world.watch(hanging.program, target);
    const found = await world.watch(healthy.program, target);
    const wallet = await world.watch(user.address, { target_type: "tx_rate", config: {} });
    await untilFollowed(found.contract_id, [healthy.vault]);
    await land(token.transfer(user, user.address, 1n));
    await pass();
    expect((await world.targets(wallet.contract_id))[0]?.last_value).toBe(1);
    expect(await followed(failed.contract_id)).toEqual([]);
    node.faults.failing.set(hanging.program, -32603);
    await pass(130);
    node.faults.failing.clear();
    await vi.waitFor(
      async () => {
        await pass(200);
        expect(await followed(failed.contract_id)).toEqual([hanging.vault]);
      },
      { timeout: 60_000, interval: 20 },
    );
  },
);

test("a vault that was closed holds nothing, which fires, and stays followed", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 90_000_000n);
  const bank = await makeVault(token, user, 1_000_000n);
  const second = await generateKeyPairSigner();
  await land(...token.openAt(second, bank.authority), token.mintInto(second.address, 3_000_000n));
  const program = await protect(bank.program);
  await untilFollowed(program.id, [bank.vault, second.address]);
  await pass(90);
  cluster.svm.setAccount({
    ...{ address: second.address, data: new Uint8Array(), executable: false, space: 0n },
    ...{ lamports: lamports(0n), programAddress: "11111111111111111111111111111111" as Address },
  });
  await pass(90, 3_700);
  expect((await world.targets(program.id)).map(({ last_value }) => last_value)).toEqual([0.999999]);
  expect(await followed(program.id)).toEqual([bank.vault, second.address].toSorted());
  expect(await program.fired()).toEqual(drainTemplates.toSorted());
});

test("a search for vaults that fails is reported until it succeeds, and not any more once no target measures a token", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const bank = await makeVault(token, user, 1_000_000n);
  const failing = (isFailing: boolean) => {
    node.faults.rewrite = isFailing
      ? ({ method, params }, reply) =>
          method === "getSignaturesForAddress" && params[0] === bank.program
            ? { error: { code: -32012, message: "scan aborted" } }
            : reply
      : undefined;
  };
  failing(true);
  const target = { target_type: "token_balance", config: { token: token.mint } };
  const { id, contract_id } = await world.watch(bank.program, target);
  const statusReason = async () =>
    ((await owner.client.get(`/contracts/${contract_id}`)).body as { status_reason: string | null })
      .status_reason;
  const problem = /^The vaults of this program cannot be searched since /;
  const until = (expected: unknown) =>
    vi.waitFor(
      async () => {
        await pass(61);
        expect(await statusReason()).toEqual(expected);
      },
      { timeout: 20_000, interval: 20 },
    );
  await until(expect.stringMatching(problem));
  await raiseSystemAlerts(h.app);
  const reported = async () =>
    (await world.events()).filter((event) => event.contract_id === contract_id && event.rule_id === null);
  expect(await reported()).toMatchObject([{ status: "firing", explanation: { reason: "unsearched" } }]);
  failing(false);
  await pass(3_700);
  await until(null);
  await raiseSystemAlerts(h.app);
  expect(await reported()).toMatchObject([{ status: "resolved" }]);
  failing(true);
  await pass(3_700);
  await until(expect.stringMatching(problem));
  const other = { target_type: "native_balance", config: {} };
  expect((await owner.client.post(`/contracts/${contract_id}/targets`, other)).status).toBe(201);
  await owner.client.delete(`/targets/${id}`);
  await pass(3_700);
  await until(null);
  failing(false);
});

longTest(
  "of more than a thousand vaults the largest are followed, with a limited number of calls and without a false alert",
  async () => {
    const token = await makeToken(cluster);
    const user = await holderOf(token, 90_000_000n);
    const bank = await makeVault(token, user, 1_000_000n);
    const added = (count: number, amount: bigint) => {
      const addresses: string[] = [];
      for (let at = 0; at < count; at++) {
        const address = addressOfBytes(createHash("sha256").update(`${amount} ${at}`).digest());
        putTokenAccount(address, token.mint, bank.authority, amount + BigInt(at));
        addresses.push(address);
      }
      return addresses;
    };
    const small = added(1_100, 1_000n);
    const program = await protect(bank.program);
    const first = [bank.vault, ...small.slice(-19)];
    await untilFollowed(program.id, first);
    const { body } = await owner.client.get(`/contracts/${program.id}`);
    expect((body as { status_reason: string }).status_reason).toMatch(/^\d+ vaults of this program are not/);
    await pass(90, 90);
    const large = added(30, 40_000n);
    const calls = node.calls.length;
    await pass(3_700);
    await untilFollowed(program.id, [bank.vault, ...large.slice(-19)]);
    expect(node.calls.length - calls).toBeLessThan(200);
    await pass(90, 90);
    expect(await program.fired()).toEqual([]);
  },
);

test("a token that a program holds later is recommended a day later at the latest, and an hour after that if a search fails", async () => {
  const token = await makeToken(cluster);
  const user = await holderOf(token, 9_000_000n);
  const bank = await deployVaultProgram(cluster);
  const program = await protect(bank.program);
  expect(program.names).toEqual([]);
  await land(token.open(bank.authority));
  await land(bank.move(fromUser(token, user, token.account(bank.authority), 5_000_000n)));
  await land(bank.move({ ...toUser(token, user, token.account(bank.authority), 1n), owner: bank.authority }));
  node.faults.failing.set(bank.program, -32603);
  h.clock.advance(86_401);
  await untilInspected(program.id);
  expect(await recommendedAt(program.id)).toEqual([]);
  node.faults.failing.clear();
  h.clock.advance(3_601);
  await untilInspected(program.id);
  expect(await recommendedAt(program.id)).toEqual(drainTemplates);
});

/** Runs inspections until that of a contract has succeeded; one that fails is repeated after a minute. */
async function untilInspected(id: string): Promise<void> {
  const query = h.app.db.selectFrom("contracts").select("inspect_at").where("id", "=", id);
  const dueAt = async () => (await query.executeTakeFirstOrThrow()).inspect_at?.getTime() ?? 0;
  const inSeconds = (seconds: number) => h.clock.now().getTime() + seconds * 1000;
  await vi.waitFor(
    async () => {
      await inspectDue(h.app);
      if ((await dueAt()) < inSeconds(600)) h.clock.advance(61);
      expect(await dueAt()).toBeGreaterThan(inSeconds(600));
    },
    { timeout: 60_000, interval: 20 },
  );
}
