import { type Address, generateKeyPairSigner, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import {
  bytesOfAddress,
  token2022Program,
  tokenProgram,
} from "../../../src/chains/solana/accounts/address.ts";
import { programDataOf, upgradeableLoader } from "../../../src/chains/solana/accounts/program-account.ts";
import { inspectDue } from "../../../src/domain/inspection/inspect-due.ts";
import type { ContractAnalysis } from "../../../src/wire/inspection/contract-analysis.ts";
import { fastClock } from "../../simchain/fast-clock.ts";
import { exactNumber } from "../cluster/cluster.ts";
import { makeToken, memoProgram, transferSol } from "../cluster/programs.ts";
import { makeSolanaWorld } from "../world.ts";

const world = await makeSolanaWorld({ clock: fastClock(20) });
const { cluster, owner } = world;
const systemProgram = "11111111111111111111111111111111";
type Watched = { id: string; contract_id: string };
const contracts = new Map<string, string>();
const [alice, bob] = await Promise.all([fresh(), fresh()]);
const quietAddress = await fresh();

async function fresh(): Promise<string> {
  return (await generateKeyPairSigner()).address;
}

type Shape = { program?: string; data?: Buffer; amount?: bigint; executable?: boolean };

const placed = new Map<string, Required<Shape> | "none">();

/** Has the node return an account as it is, whatever programs would allow. */
function place(address: string, shape: Shape): void {
  const usual = { program: systemProgram, data: Buffer.alloc(0), amount: 5_000_000_000n, executable: false };
  placed.set(address, { ...usual, ...shape });
}

/** Further token accounts that the node lists of an owner. */
const listed = new Map<string, object>();

const [node] = world.nodes;
if (!node) throw new Error("there is no node");
node.faults.rewrite = ({ method, params: [asked, options] }, reply) => {
  if (method === "getTokenAccountsByOwner" && "result" in reply) {
    const { value } = reply.result as { value: object[] };
    const more = listed.get(String(asked));
    return { result: { ...(reply.result as object), value: more ? [...value, more] : value } };
  }
  if (!("result" in reply) || (method !== "getMultipleAccounts" && method !== "getAccountInfo")) return reply;
  const addresses = [asked].flat() as string[];
  const { value } = reply.result as { value: unknown };
  const { dataSlice } = options as { dataSlice?: { length: number } };
  const values = [value].flat().map((one, at) => {
    const account = accountAt(addresses[at] ?? "", dataSlice?.length);
    return account === undefined ? one : account;
  });
  return { result: { ...(reply.result as object), value: Array.isArray(value) ? values : values[0] } };
};

function accountAt(address: string, length: number | undefined) {
  const account = placed.get(address);
  if (account === undefined) return undefined;
  if (account === "none") return null;
  const { program, data, amount, executable } = account;
  const text = data.subarray(0, length).toString("base64");
  return { owner: program, executable, lamports: exactNumber(amount), data: [text, "base64"] };
}

/** Makes a program of the loader v3 with its program data account. */
function deploy(address: string, authority: string, slot: number): void {
  const data = Buffer.alloc(45);
  data.writeUInt32LE(3);
  data.writeBigUInt64LE(BigInt(slot), 4);
  data[12] = 1;
  bytesOfAddress(authority).copy(data, 13);
  place(programDataOf(address), { program: upgradeableLoader, data });
  const pointer = Buffer.concat([Buffer.of(2, 0, 0, 0), bytesOfAddress(programDataOf(address))]);
  place(address, { program: upgradeableLoader, data: pointer });
}

function mintOf(authority: string, supply: bigint): Buffer {
  const data = Buffer.alloc(82);
  data.writeUInt32LE(1);
  bytesOfAddress(authority).copy(data, 4);
  data.writeBigUInt64LE(supply, 36);
  data[45] = 1;
  return data;
}

function tokenAccountOf(mint: string, holder: string, amount: bigint): Buffer {
  const data = Buffer.alloc(165);
  bytesOfAddress(mint).copy(data);
  bytesOfAddress(holder).copy(data, 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return data;
}

/** Watches an address with a target that alerts on each change. */
async function watch(address: string, target_type: string, config: object = {}) {
  const target = await addTarget(address, { target_type, config });
  const rule = await world.rule(target.id, { aggregation: "each", window_seconds: undefined });
  const own = async () => (await world.targets(target.contract_id)).find(({ id }) => id === target.id);
  return {
    contract_id: target.contract_id,
    target_id: target.id,
    own,
    evidence: async () => {
      const newest = world.h.app.db
        .selectFrom("samples")
        .select("evidence")
        .where("series_id", "=", target.id)
        .orderBy("at", "desc");
      return (await newest.executeTakeFirst())?.evidence;
    },
    alerts: async () =>
      (await world.events()).filter(({ rule_id }) => rule_id === rule).map(({ message }) => message),
  };
}

async function addTarget(address: string, target: { target_type: string; config: object }) {
  const contract_id = contracts.get(address);
  const added = contract_id
    ? await owner.client.post(`/contracts/${contract_id}/targets`, target)
    : undefined;
  const { id, contract_id: of } = added ? (added.body as Watched) : await world.watch(address, target);
  contracts.set(address, of);
  return { id, contract_id: of };
}

/** Passes the interval between two polls, in which the quiet wallet is measured too. */
async function poll(): Promise<void> {
  const paid = BigInt(1_000_000_000 + cluster.head);
  place(quietAddress, { amount: paid });
  cluster.produce([], { seconds: 90, skipped: 5 });
  await world.runUntilIdle();
  expect(await quiet.evidence()).toMatchObject({ lamports: String(paid) });
}

const quiet = await watch(quietAddress, "native_balance");
await world.runUntilIdle();
await poll();

test("accounts that are not what they are watched as have a reason each, and delay nothing", async () => {
  const [huge, empty, foreign, executable, orphan] = await Promise.all(Array.from({ length: 5 }, fresh));
  if (!huge || !empty || !foreign || !executable || !orphan) throw new Error("an address is missing");
  place(huge, { program: memoProgram, data: Buffer.alloc(10 * 1024 * 1024, 7), amount: 77n });
  place(empty, { program: tokenProgram });
  place(foreign, { program: memoProgram, data: mintOf(alice, 5n) });
  place(executable, { program: memoProgram, data: Buffer.alloc(36, 2), executable: true });
  // Its mint does not exist.
  place(orphan, { program: tokenProgram, data: tokenAccountOf(bob, alice, 77n) });
  const measured = [
    await watch(huge, "native_balance"),
    await watch(orphan, "solana_authority_change", { account: "token" }),
  ];
  const notMint = "The supply could not be read: the account is not a token mint.";
  const notProgram = "The program is not upgradeable.";
  const noIdl = "There is no IDL with accounts: upload that of the program as the abi.";
  const noToken = "The balance could not be read: the token could not be read: it is not a token mint.";
  const failing = [
    { ...(await watch(huge, "account_field", { field: "fee" })), reason: noIdl },
    { ...(await watch(huge, "solana_authority_change")), reason: notProgram },
    { ...(await watch(empty, "token_supply")), reason: notMint },
    { ...(await watch(foreign, "token_supply")), reason: notMint },
    { ...(await watch(executable, "solana_program_upgrade")), reason: notProgram },
    { ...(await watch(orphan, "token_balance", { token: bob })), reason: noToken },
  ];
  for (let polls = 0; polls < 2; polls++) await poll();
  const [balance, control] = await Promise.all(measured.map(({ evidence }) => evidence()));
  expect(balance).toMatchObject({ lamports: "77" });
  expect(control).toMatchObject({ state: `owner ${alice}, delegate none, close ${alice}` });
  for (const { own, alerts, reason } of failing) {
    expect(await own()).toMatchObject({ status: "error", status_reason: reason });
    expect(await alerts()).toEqual([]);
  }
});

test("a balance beyond the integers of a JSON number is exact, and so is its change by one lamport", async () => {
  const address = await fresh();
  const balance = await watch(address, "native_balance");
  for (const amount of [2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n]) {
    place(address, { amount });
    await poll();
    expect(await balance.evidence()).toMatchObject({ lamports: String(amount) });
  }
});

test("a transfer to a wallet with more lamports than a JSON number represents has its exact amount", async () => {
  const address = await fresh();
  cluster.svm.setAccount({
    ...{ address: address as Address, data: new Uint8Array(), executable: false, space: 0n },
    ...{ lamports: lamports(2n ** 53n + 2n), programAddress: systemProgram as Address },
  });
  const transfers = await watch(address, "large_transfer", { native: true });
  await poll();
  cluster.produce([await cluster.run([transferSol(cluster.payer, address, 1n)])]);
  await poll();
  const samples = world.h.app.db.selectFrom("samples").select("value");
  const rows = await samples.where("series_id", "=", transfers.target_id).execute();
  expect(rows.map(({ value }) => Number(value))).toEqual([1e-9]);
});

test("token accounts of a wallet are found beside one whose mint was closed, which a node returns as bytes", async () => {
  const holder = await generateKeyPairSigner();
  const token = await makeToken(cluster);
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 9n)]);
  const worthless = tokenAccountOf(await fresh(), holder.address, 0n).toString("base64");
  listed.set(holder.address, { pubkey: await fresh(), account: { data: [worthless, "base64"] } });
  const { contract_id } = await watch(holder.address, "native_balance");
  while ((await inspectDue(world.h.app)).hasMore);
  const inspected = world.h.app.db.selectFrom("contracts").select("profile").where("id", "=", contract_id);
  const { profile } = await inspected.executeTakeFirstOrThrow();
  expect(profile).toMatchObject({ assets: [{ token: token.mint }] });
});

test("a token account that is closed, and opened again as a mint of someone else, raises an alert for each", async () => {
  const address = await fresh();
  place(address, { program: tokenProgram, data: tokenAccountOf(bob, alice, 5n) });
  const control = await watch(address, "solana_authority_change");
  const supply = await watch(address, "token_supply");
  await poll();
  placed.set(address, "none");
  await poll();
  expect(await control.alerts()).toEqual(["Watched on Solana: account changed: open → closed."]);
  // Anyone may send SOL to the address of an account that was closed.
  place(address, { amount: 1n });
  await poll();
  expect(await control.alerts()).toHaveLength(1);
  place(address, { program: tokenProgram, data: mintOf(bob, 6n) });
  await poll();
  expect((await control.alerts())[0]).toContain(`authority changed: closed → mint ${bob}, freeze none`);
  expect(await supply.evidence()).toMatchObject({ supply: "6" });
  expect(await control.own()).toMatchObject({ status: "ok" });
});

test("an address without an account that becomes a wallet, and then a program, is measured as what it is", async () => {
  const address = await fresh();
  const balance = await watch(address, "native_balance");
  const upgrade = await watch(address, "solana_program_upgrade");
  const authority = await watch(address, "solana_authority_change");
  const none = { status: "error", status_reason: "There is no program at this address." };
  await poll();
  expect(await balance.evidence()).toMatchObject({ lamports: "0" });
  expect(await upgrade.own()).toMatchObject(none);
  expect(await authority.own()).toMatchObject(none);
  place(address, { amount: 3_000_000_000n });
  await poll();
  expect(await balance.alerts()).toEqual(["Watched on Solana: balance rose from 0 SOL to 3 SOL."]);
  deploy(address, alice, 1_001);
  await poll();
  expect(await upgrade.own()).toMatchObject({ status: "ok", last_value: 0 });
  deploy(address, bob, 1_002);
  await poll();
  expect(await upgrade.alerts()).toEqual(["Watched on Solana: program upgraded in slot 1002."]);
  expect(await authority.alerts()).toEqual([`Watched on Solana: authority changed: ${alice} → ${bob}.`]);
});

test("a mint with every known extension and an unknown one is read completely", async () => {
  const address = await fresh();
  place(address, { program: token2022Program, data: extendedMint(alice) });
  const authority = await watch(address, "solana_authority_change");
  await poll();
  place(address, { program: token2022Program, data: extendedMint(bob) });
  await poll();
  const [message = ""] = await authority.alerts();
  // The one after the unknown extension.
  expect(message).toContain(`pause authority changed: ${alice} → ${bob}`);
  expect(message).toContain(`permanent delegate changed: ${alice} → ${bob}`);
  expect(message.match(/authority changed/g)).toHaveLength(6);
  const analysis = await owner.client.get(`/contracts/${authority.contract_id}/analysis`);
  expect((analysis.body as ContractAnalysis).findings).toContainEqual(
    expect.objectContaining({ id: "unknown_extension", detail: expect.stringContaining("4000") }),
  );
});

/** The extensions of mints by their number, with the bytes of their values, and one that does not exist yet. */
const extensions: [id: number, bytes: number][] = [
  ...([
    [1, 108],
    [3, 32],
    [4, 65],
    [6, 1],
    [10, 52],
    [12, 32],
    [14, 64],
    [16, 129],
    [18, 64],
  ] as const),
  ...([
    [20, 64],
    [22, 64],
    [25, 56],
    [4_000, 24],
    [26, 33],
    [28, 33],
  ] as const),
].map(([id, bytes]) => [id, bytes]);

function extendedMint(authority: string): Buffer {
  const parts = extensions.map(([id, bytes]) => {
    const part = Buffer.alloc(4 + bytes);
    part.writeUInt16LE(id);
    part.writeUInt16LE(bytes, 2);
    if (bytes >= 32) bytesOfAddress(authority).copy(part, 4);
    return part;
  });
  const head = Buffer.alloc(166);
  mintOf(authority, 7n).copy(head);
  head[165] = 1;
  return Buffer.concat([head, ...parts]);
}
