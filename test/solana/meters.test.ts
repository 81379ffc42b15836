import { generateKeyPairSigner, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import { readProgramAccount } from "../../src/chains/solana/accounts/program-account.ts";
import { makeSolanaReader } from "../../src/chains/solana/reader.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { computeUnitPrice, makeToken, memo, memoProgram, tokenIdl, transferSol } from "./cluster/programs.ts";
import { deployProgram, emptyLoaderAccount } from "./cluster/upgrades.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster, owner } = world;

/** Creates a contract with several targets and returns a function that reads their values by type. */
async function addContract(
  address: string,
  targets: { target_type: string; config?: object }[],
  abi?: unknown,
) {
  const body = { chain: "solana", address, selected_targets: targets, abi };
  const reply = await owner.client.post("/contracts", body);
  if (reply.status !== 200) throw new Error(reply.text);
  const { id } = reply.body as { id: string };
  return async () => {
    const rows = await world.targets(id);
    return Object.fromEntries(
      rows.map(({ target_type, status, status_reason, last_value }) => [
        target_type,
        status === "ok" ? last_value : `${status}: ${status_reason}`,
      ]),
    );
  };
}

test("transactions of a program are measured by rate, failures, callers and inactivity", async () => {
  const other = await generateKeyPairSigner();
  cluster.svm.airdrop(other.address, lamports(1_000_000_000n));
  const values = await addContract(memoProgram, [
    { target_type: "tx_rate" },
    { target_type: "revert_rate", config: { min_txs: 2 } },
    { target_type: "unique_callers" },
    { target_type: "inactivity" },
    { target_type: "gas_usage" },
    { target_type: "solana_priority_fee" },
    { target_type: "anomaly_detection", config: { metric: "tx_rate" } },
    { target_type: "anomaly_detection", config: { metric: "function_call_rate", function_signature: "f()" } },
    { target_type: "view_function", config: { signature: "f()(uint256)" } },
  ]);
  await world.runUntilIdle();
  const failing = { ...memo(""), data: Buffer.of(0xff, 0xfe) };
  const ran = [
    await cluster.run([memo("one")]),
    await cluster.run([memo("two")], other),
    await cluster.run([failing], other),
    await cluster.run([computeUnitPrice(25_000n), memo("three")]),
  ];
  expect(ran.map(({ hasFailed }) => hasFailed)).toEqual([false, false, true, false]);
  cluster.produce(ran);
  await world.runUntilIdle();
  expect(await values()).toMatchObject({ tx_rate: 1, revert_rate: 0.25, unique_callers: 2, inactivity: 0 });
  const { computeUnitsConsumed = 0 } = (ran.at(-1)?.meta ?? {}) as { computeUnitsConsumed?: number };
  expect(computeUnitsConsumed).toBeGreaterThan(0);
  expect(await values()).toMatchObject({ gas_usage: computeUnitsConsumed, solana_priority_fee: 25_000 });
  cluster.produce([], { seconds: 40 });
  await world.runUntilIdle();
  expect(await values()).toMatchObject({
    inactivity: 40,
    view_function: expect.stringContaining("unsupported"),
  });
});

test("balances and transfers of a wallet are measured in tokens and in SOL", async () => {
  const token = await makeToken(cluster, 6);
  const holder = await generateKeyPairSigner();
  const { mint } = token;
  cluster.svm.airdrop(holder.address, lamports(2_000_000_000n));
  cluster.produce([
    token.made,
    await cluster.run([token.open(holder.address), token.mintTo(holder.address, 5_000_000n)]),
    await cluster.run([token.open(cluster.payer.address)]),
  ]);
  const wallet = await addContract(holder.address, [
    { target_type: "native_balance" },
    { target_type: "token_balance", config: { token: mint } },
    {
      target_type: "tvl",
      config: {
        tokens: [
          { token: mint, price: 2 },
          { token: "native", price: 100 },
        ],
      },
    },
    { target_type: "large_transfer", config: { token: mint, min_amount: 1 } },
  ]);
  const supply = await addContract(mint, [
    { target_type: "token_supply" },
    { target_type: "large_transfer", config: { token: mint } },
    { target_type: "solana_authority_change" },
  ]);
  const payer = await addContract(cluster.payer.address, [
    { target_type: "large_transfer", config: { native: true } },
  ]);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  expect(await wallet()).toMatchObject({ native_balance: 2, token_balance: 5, tvl: 210 });
  expect(await supply()).toMatchObject({ token_supply: 5, solana_authority_change: 0 });
  cluster.produce([
    await cluster.run([token.transfer(holder, cluster.payer.address, 3_500_000n)], holder),
    await cluster.run([transferSol(cluster.payer, holder.address, 250_000_000n)]),
  ]);
  await world.runUntilIdle();
  expect(await wallet()).toMatchObject({ large_transfer: 3.5 });
  expect(await payer()).toMatchObject({ large_transfer: 0.25 });
  // A plain transfer does not name its mint, so the mint's contract sees only the minting.
  cluster.produce([await cluster.run([token.mintTo(holder.address, 1_250_000n)])], { seconds: 20 });
  await world.runUntilIdle();
  expect(await supply()).toMatchObject({ large_transfer: 1.25, token_supply: 6.25 });
  expect(await wallet()).toMatchObject({ large_transfer: 1.25, token_balance: 2.75 });
});

test("instructions invoked by CPI are counted unless include_cpi is false", async () => {
  const token = await makeToken(cluster);
  const config = { name: "initializeAccount3" };
  const own = await addContract(
    tokenProgram,
    [{ target_type: "solana_instruction", config: { ...config, include_cpi: false } }],
    tokenIdl,
  );
  await world.runUntilIdle();
  cluster.produce([await cluster.run([token.open(cluster.payer.address)])]);
  await world.runUntilIdle();
  expect(await own()).toEqual({ solana_instruction: "no_data: null" });
  const contracts = (await owner.client.get("/contracts")).body as { id: string; address: string }[];
  const id = contracts.find(({ address }) => address === tokenProgram)?.id;
  const body = { target_type: "solana_instruction", config };
  const made = (await owner.client.post(`/contracts/${id}/targets`, body)).body as { id: string };
  await world.rule(made.id);
  await world.runUntilIdle();
  cluster.produce([await cluster.run([token.open((await generateKeyPairSigner()).address)])]);
  await world.runUntilIdle();
  const [event] = await world.events();
  expect(event).toMatchObject({
    status: "firing",
    explanation: { evidence: { depth: 2, status: "success" } },
  });
});

test("a program upgrade and an authority change are measured once", async () => {
  const deployed = await deployProgram(cluster);
  const newAuthority = await generateKeyPairSigner();
  const targets = [{ target_type: "solana_program_upgrade" }, { target_type: "solana_authority_change" }];
  const values = await addContract(deployed.program, targets);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  expect(await values()).toEqual({ solana_program_upgrade: 0, solana_authority_change: 0 });
  const changes = async () =>
    (
      await world.h.app.db
        .selectFrom("samples")
        .innerJoin("targets", "targets.id", "samples.series_id")
        .select(["target_type", "height"])
        .where("value", "=", 1)
        .where("target_type", "in", ["solana_program_upgrade", "solana_authority_change"])
        .orderBy("height")
        .execute()
    ).map(({ target_type, height }) => [target_type, Number(height)]);

  const upgrade = await cluster.run([deployed.upgrade()]);
  expect(upgrade.hasFailed).toBe(false);
  const slot = cluster.produce([upgrade]);
  await world.runUntilIdle();
  expect(await changes()).toEqual([["solana_program_upgrade", slot]]);
  const changedAt = cluster.produce([await cluster.run([deployed.setAuthority(newAuthority)])]);
  await world.runUntilIdle();
  cluster.produce([], { seconds: 20 });
  await world.runUntilIdle();
  expect(await values()).toEqual({ solana_program_upgrade: 0, solana_authority_change: 0 });
  expect(await changes()).toEqual([
    ["solana_program_upgrade", slot],
    ["solana_authority_change", changedAt],
  ]);

  const reader = makeSolanaReader({ urls: [world.nodes[0]?.url ?? ""], clock: systemClock });
  const head = await reader.head();
  const read = (address: string) => readProgramAccount((reads) => reader.read([...reads], head), address);
  expect(await read(deployed.program)).toEqual({
    exists: true,
    executable: true,
    loader: "BPFLoaderUpgradeab1e11111111111111111111111",
    program_data: deployed.programData,
    slot,
    authority: newAuthority.address,
    has_idl: false,
  });
  expect(await read(newAuthority.address)).toMatchObject({ exists: false, slot: null, authority: null });
  await reader.close();
});

test("an extension of the program data account, which everyone may make, is not an upgrade", async () => {
  const deployed = await deployProgram(cluster);
  const stranger = await generateKeyPairSigner();
  cluster.svm.airdrop(stranger.address, lamports(10_000_000_000n));
  const values = await addContract(deployed.program, [{ target_type: "solana_program_upgrade" }]);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  const extended = await cluster.run([deployed.extend(stranger)], stranger);
  expect(extended.hasFailed).toBe(false);
  cluster.produce([extended]);
  await world.runUntilIdle();
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  expect(await values()).toEqual({ solana_program_upgrade: 0 });
  const raised = await world.h.app.db
    .selectFrom("samples")
    .innerJoin("targets", "targets.id", "samples.series_id")
    .innerJoin("contracts", "contracts.id", "targets.contract_id")
    .select("samples.height")
    .where("contracts.address", "=", deployed.program)
    .where("value", "=", 1)
    .execute();
  expect(raised).toEqual([]);
});

test("a token account that is given to another owner counts as a transfer of what it holds", async () => {
  const token = await makeToken(cluster, 6);
  const holder = await generateKeyPairSigner();
  const thief = await generateKeyPairSigner();
  cluster.svm.airdrop(holder.address, lamports(1_000_000_000n));
  cluster.produce([
    token.made,
    await cluster.run([token.open(holder.address), token.mintTo(holder.address, 900_000_000n)]),
  ]);
  await world.runUntilIdle();
  const config = { token: token.mint };
  const victim = await addContract(holder.address, [{ target_type: "large_transfer", config }]);
  await world.runUntilIdle();
  expect(await victim()).toEqual({ large_transfer: "no_data: null" });
  const taken = await cluster.run([token.reassign(holder, thief.address)], holder);
  expect(taken.hasFailed).toBe(false);
  cluster.produce([taken]);
  await world.runUntilIdle();
  expect(await victim()).toEqual({ large_transfer: 900 });
});

test("the owner of a token account is compared, and its change is measured", async () => {
  const token = await makeToken(cluster, 6);
  const holder = await generateKeyPairSigner();
  cluster.svm.airdrop(holder.address, lamports(1_000_000_000n));
  await cluster.run([token.open(holder.address)]);
  const values = await addContract(token.account(holder.address), [
    { target_type: "solana_authority_change" },
    { target_type: "token_supply" },
  ]);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  expect(await values()).toEqual({
    solana_authority_change: 0,
    token_supply: expect.stringContaining("the account is not a token mint"),
  });
  await cluster.run([token.reassign(holder, cluster.payer.address)], holder);
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  expect(await values()).toMatchObject({ solana_authority_change: 1 });
});

test("an account of the loader without data, and a holder that nodes do not index, fail alone", async () => {
  const empty = await emptyLoaderAccount(cluster);
  const program = await addContract(empty, [{ target_type: "solana_program_upgrade" }]);
  const token = await makeToken(cluster, 6);
  const [excluded, other] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  await cluster.run([token.open(other.address), token.mintTo(other.address, 7_000_000n)]);
  const balance = { target_type: "token_balance", config: { token: token.mint } };
  const failing = await addContract(excluded.address, [balance, { target_type: "native_balance" }]);
  const working = await addContract(other.address, [balance]);
  for (const code of [-32010, -32012, -32603]) {
    world.nodes[0]?.faults.failing.set(excluded.address, code);
    cluster.produce([], { seconds: 400 });
    await world.runUntilIdle();
    cluster.produce([], { seconds: 400 });
    await world.runUntilIdle();
    expect(await working()).toEqual({ token_balance: 7 });
    expect(await failing()).toMatchObject({
      token_balance: expect.stringContaining("could not be read"),
      native_balance: 0,
    });
  }
  world.nodes[0]?.faults.failing.clear();
  expect(await program()).toEqual({ solana_program_upgrade: 0 });
  const inspected = await owner.client.post("/contracts/inspect", { chain: "solana", address: empty });
  expect(inspected.status).toBe(200);
});
