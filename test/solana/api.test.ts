import { deflateSync } from "node:zlib";
import { type Address, generateKeyPairSigner, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import { idlAddressOf } from "../../src/chains/solana/accounts/program-account.ts";
import { metadataAddressOf } from "../../src/chains/solana/idl/program-metadata.ts";
import { inspectDue } from "../../src/domain/inspection/inspect-due.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { ContractAnalysis } from "../../src/wire/inspection/contract-analysis.ts";
import type { Inspection } from "../../src/wire/inspection/inspection.ts";
import { metadataAccount, metadataProgram } from "./cluster/metadata-account.ts";
import { makeToken, memo, memoProgram, tokenIdl } from "./cluster/programs.ts";
import { deployProgram } from "./cluster/upgrades.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster, owner } = world;

const create = (address: string, more: object = {}) =>
  owner.client.post("/contracts", { chain: "solana", address, ...more });

test.each([
  ["an EVM address", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"],
  ["one byte short", "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMN"],
  ["not base58", "0emoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr"],
  ["33 bytes long", "JxF12TrwUP45BMd1p6RpzUZHMmfzoVFBJYqWAr4VKUVm"],
])("a Solana contract whose address is %s gets 422", async (_, address) => {
  const reply = await create(address);
  expect(reply.status).toBe(422);
  expect(reply.body).toMatchObject({ detail: [{ loc: ["body", "address"] }] });
});

test("a Solana contract accepts an IDL as its abi and nothing else", async () => {
  const made = await create(tokenProgram, { abi: tokenIdl });
  expect(made.body).toMatchObject({ address: tokenProgram, chain_id: 1399811149, abi_source: "upload" });
  const { id } = made.body as Contract;
  expect((await create(tokenProgram)).status).toBe(409);
  for (const abi of [
    [{ type: "function", name: "f", inputs: [] }, {}],
    { instructions: [{ name: 1 }] },
    "{",
  ]) {
    const reply = await owner.client.patch(`/contracts/${id}`, { abi });
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({
      detail: [{ loc: ["body", "abi"], msg: expect.stringContaining("IDL") }],
    });
  }
  expect((await owner.client.patch(`/contracts/${id}`, { abi: JSON.stringify(tokenIdl) })).status).toBe(200);
});

test("a target with an EVM address on Solana is saved as unsupported", async () => {
  const token = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
  const { contract_id } = await world.watch(memoProgram, { target_type: "token_balance", config: { token } });
  expect(await world.targets(contract_id)).toMatchObject([
    { status: "unsupported", status_reason: `${token} is not a valid address on this chain.` },
  ]);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
});

test("inspecting a program returns its upgrade authority and its on-chain IDL", async () => {
  const deployed = await deployProgram(cluster);
  putIdl(deployed.program, tokenIdl);
  const inspect = async (address: string) =>
    (await owner.client.post("/contracts/inspect", { chain: "solana", address })).body as Inspection;
  expect(await inspect(deployed.program)).toMatchObject({
    has_code: true,
    contract_type: "program",
    abi_source: "registry",
    abi: [tokenIdl],
    name: "spl_token",
    program: { program_data: deployed.programData, upgrade_authority: cluster.payer.address, has_idl: true },
    suggested_targets: [
      { target_type: "solana_program_upgrade" },
      { target_type: "solana_authority_change" },
      {},
    ],
  });
  const token = await makeToken(cluster, 9);
  expect(await inspect(token.mint)).toMatchObject({
    has_code: false,
    category: "token",
    token: { decimals: 9, total_supply: "0" },
    program: null,
  });
  expect(await inspect((await generateKeyPairSigner()).address)).toMatchObject({
    has_code: false,
    token: null,
  });

  const { contract_id } = await world.watch(deployed.program, {
    target_type: "solana_program_upgrade",
  });
  await world.runUntilIdle();
  cluster.produce([await cluster.run([memo("anything")])]);
  await world.runUntilIdle();
  const contract = (await owner.client.get(`/contracts/${contract_id}`)).body;
  expect(contract).toMatchObject({ abi_source: "registry", contract_type: "program" });
  const analysis = (await owner.client.get(`/contracts/${contract_id}/analysis`)).body as ContractAnalysis;
  expect(analysis).toMatchObject({
    contract_type: "program",
    powers: [{ power: "upgrade_authority", holder: { kind: "eoa", address: cluster.payer.address } }],
    findings: [
      {
        id: "upgrade_authority",
        severity: "critical",
        target: { target_type: "solana_program_upgrade" },
        is_watched: true,
      },
    ],
  });
});

test("an IDL from Program Metadata takes precedence over Anchor's IDL account", async () => {
  const deployed = await deployProgram(cluster);
  putIdl(deployed.program, { ...tokenIdl, name: "left_over" });
  putMetadata(deployed.program, tokenIdl);
  const body = { chain: "solana", address: deployed.program };
  expect((await owner.client.post("/contracts/inspect", body)).body).toMatchObject({
    name: "spl_token",
    program: { has_idl: true },
    sources: [
      { source: "program_metadata", status: "found" },
      { source: "anchor_idl_account", status: "found" },
    ],
  });
  const { contract_id } = await world.watch(deployed.program, { target_type: "solana_program_upgrade" });
  await world.runUntilIdle();
  cluster.produce([await cluster.run([memo("anything")])]);
  await world.runUntilIdle();
  const row = await world.h.app.db
    .selectFrom("contracts")
    .select("abi")
    .where("id", "=", contract_id)
    .executeTakeFirst();
  expect(row?.abi).toMatchObject({ name: "spl_token" });
});

test("an IDL that a program publishes later, and one that replaces it, is read within an hour; an uploaded one stays", async () => {
  const target = { target_type: "solana_program_upgrade" };
  const [published, uploaded] = [await deployProgram(cluster), await deployProgram(cluster)];
  const followed = await world.watch(published.program, target);
  const own = await world.watch(uploaded.program, target, { ...tokenIdl, name: "own" });
  await world.runUntilIdle();
  const namesAfter = async (name: string) => {
    for (const { program } of [published, uploaded]) putIdl(program, { ...tokenIdl, name });
    // What is looked up at one block is applied at a later one.
    for (const seconds of [3_700, 1, 1]) {
      cluster.produce([], { seconds });
      await world.runUntilIdle();
    }
    const rows = await world.h.app.db.selectFrom("contracts").select(["id", "abi"]).execute();
    const names = new Map(rows.map(({ id, abi }) => [id, (abi as { name?: string } | null)?.name]));
    const nameOf = (id: string) => names.get(id);
    return [nameOf(followed.contract_id), nameOf(own.contract_id)];
  };
  expect(await namesAfter("first")).toEqual(["first", "own"]);
  expect(await namesAfter("second")).toEqual(["second", "own"]);
});

test("an IDL with characters that PostgreSQL cannot store stops neither the engine nor inspections", async () => {
  const deployed = await deployProgram(cluster);
  putMetadata(deployed.program, { ...tokenIdl, "no\0thing": 1, "\ud800": ["\0\ud800"] });
  const { contract_id } = await world.watch(deployed.program, { target_type: "solana_program_upgrade" });
  await world.runUntilIdle();
  cluster.produce([await cluster.run([memo("anything")])]);
  await world.runUntilIdle();
  while ((await inspectDue(world.h.app)).hasMore);
  expect((await owner.client.get(`/contracts/${contract_id}`)).body).toMatchObject({
    contract_type: "program",
    abi_source: "registry",
  });
  for (const abi of [
    { ...tokenIdl, "no\0thing": 1 },
    { ...tokenIdl, docs: ["\ud800"] },
  ])
    expect((await owner.client.patch(`/contracts/${contract_id}`, { abi })).status).not.toBe(500);
});

test("programs, tokens and wallets are inspected in the background, and absent accounts again later", async () => {
  const deployed = await deployProgram(cluster);
  putMetadata(deployed.program, tokenIdl);
  const token = await makeToken(cluster, 9);
  const add = async (address: string, abi?: object) => {
    const reply = await owner.client.post("/contracts", { chain: "solana", address, abi });
    return (reply.body as { id: string }).id;
  };
  const absent = await generateKeyPairSigner();
  const ids = [await add(deployed.program), await add(token.mint), await add(absent.address)];
  const own = await deployProgram(cluster);
  putMetadata(own.program, tokenIdl);
  ids.push(await add(own.program, { ...tokenIdl, name: "given" }));
  while ((await inspectDue(world.h.app)).hasMore);
  const contracts = await Promise.all(
    ids.map(async (id) => (await owner.client.get(`/contracts/${id}`)).body),
  );
  expect(contracts).toMatchObject([
    { contract_type: "program", category: "other", abi_source: "registry", status: "PENDING" },
    { contract_type: "unknown", category: "token", abi_source: "none", status: "PENDING" },
    { contract_type: "unknown", category: "other", abi_source: "none", status: "PENDING" },
    { contract_type: "program", abi_source: "upload" },
  ]);
  const dueWithinHours = async (hours: number) => {
    const until = new Date(world.h.clock.now().getTime() + hours * 3_600_000);
    const due = await world.h.app.db
      .selectFrom("contracts")
      .select("id")
      .where("inspect_at", "<=", until)
      .where("id", "in", ids)
      .execute();
    return due.map(({ id }) => id);
  };
  expect(await dueWithinHours(1)).toEqual([ids[2]]);
  cluster.svm.airdrop(absent.address, lamports(1_000_000_000n));
  world.h.clock.advance(60);
  await inspectDue(world.h.app);
  expect(await dueWithinHours(1)).toEqual([]);
  // What they hold changes, and with it the templates that apply.
  expect((await dueWithinHours(25)).toSorted()).toEqual(ids.toSorted());
});

function put(address: string, program: string, data: Buffer): void {
  cluster.svm.setAccount({
    address: address as Address,
    data,
    executable: false,
    lamports: lamports(10_000_000_000n),
    programAddress: program as Address,
    space: BigInt(data.length),
  });
}

/** Writes an IDL to its Program Metadata account. */
function putMetadata(program: string, idl: object): void {
  const data = metadataAccount(program, { content: deflateSync(JSON.stringify(idl)), compression: 2 });
  put(metadataAddressOf(program), metadataProgram, data);
}

/** Writes an IDL to Anchor's IDL account. */
function putIdl(program: string, idl: object): void {
  const packed = deflateSync(JSON.stringify(idl));
  const head = Buffer.alloc(44);
  head.writeUInt32LE(packed.length, 40);
  const data = Buffer.concat([head, packed]);
  put(idlAddressOf(program), program, data);
}
