import { type Address, generateKeyPairSigner, type Instruction, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { bytesOfAddress, tokenProgram } from "../../src/chains/solana/accounts/address.ts";
import { inspectDue } from "../../src/domain/inspection/inspect-due.ts";
import type { AlertTemplate } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import { type ExecutedTransaction, readonly, signing, writable } from "./cluster/cluster.ts";
import { makeLookupTable } from "./cluster/lookup-table.ts";
import { makeToken, transferSol } from "./cluster/programs.ts";
import { deployProgram, makeDeployment } from "./cluster/upgrades.ts";
import { deployForwarder } from "./cluster/vault-program.ts";
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

const contracts = new Map<string, string>();

/** The first target of an address adds it, further ones are added to it. */
async function targetOn(address: string, target: { target_type: string; config?: object }): Promise<string> {
  const known = contracts.get(address);
  if (known) {
    const reply = await world.owner.client.post(`/contracts/${known}/targets`, target);
    return (reply.body as { id: string }).id;
  }
  const { id, contract_id } = await world.watch(address, target);
  contracts.set(address, contract_id);
  return id;
}

async function watched(address: string, target: { target_type: string; config?: object }) {
  const rule = await world.rule(await targetOn(address, target), each);
  await world.runUntilIdle();
  cluster.produce();
  await world.runUntilIdle();
  return async () =>
    (await world.events())
      .filter(({ rule_id }) => rule_id === rule)
      .toSorted((a, b) => Number(a.block_number) - Number(b.block_number))
      .map(({ message, tx_hash, block_number }) => ({ message, tx_hash, block_number }));
}

/** Puts transactions, which must have succeeded, into one slot; returns what an alert names of each. */
async function land(...ran: ExecutedTransaction[]) {
  for (const executedTransaction of ran)
    if (executedTransaction.hasFailed) throw new Error(JSON.stringify(executedTransaction.meta));
  const block_number = cluster.produce(ran);
  await world.runUntilIdle();
  return ran.map(({ signature }) => ({ tx_hash: signature, block_number }));
}

const authorityChanges = (account?: string) => ({
  target_type: "solana_authority_change",
  config: account === undefined ? {} : { account },
});

async function makeHolder() {
  const token = await makeToken(cluster, 0);
  const holder = await funded();
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 900n)]);
  return { token, holder };
}

test("a wallet that a program assigns to another program by CPI is reported with the transaction", async () => {
  const holder = await funded();
  const { program } = await deployForwarder(
    cluster,
    [{ bytes: 0, isWritable: true, isSigner: true }],
    4 + 32,
  );
  const alerts = await watched(holder.address, { target_type: "solana_delegation" });
  const assign: Instruction = {
    programAddress: program as Address,
    accounts: [signing(holder), readonly(systemProgram)],
    data: Buffer.concat([Buffer.of(1, 0, 0, 0), bytesOfAddress(tokenProgram)]),
  };
  const [named] = await land(await cluster.run([assign]));
  expect(await alerts()).toEqual([
    {
      ...named,
      message: expect.stringContaining(`wallet given to the program ${tokenProgram} by ${payer.address}`),
    },
  ]);
});

test("a token account that a program gives away through another program is reported as given away, as a transfer and as a change of its owner", async () => {
  const { token, holder } = await makeHolder();
  const thief = await funded();
  const account = token.account(holder.address);
  const own = [
    { bytes: 165, isWritable: true },
    { bytes: 0, isSigner: true },
  ];
  const inner = await deployForwarder(cluster, own, 35);
  const outer = await deployForwarder(cluster, [...own, { bytes: bytesOf(tokenProgram) }], 35);
  const alerts = [
    await watched(holder.address, { target_type: "solana_delegation" }),
    await watched(holder.address, { target_type: "large_transfer", config: { token: token.mint } }),
    await watched(account, authorityChanges("token")),
  ];
  const drain: Instruction = {
    programAddress: outer.program as Address,
    accounts: [...[writable(account), signing(holder), readonly(tokenProgram)], readonly(inner.program)],
    data: Buffer.concat([Buffer.of(6, 2, 1), bytesOfAddress(thief.address)]),
  };
  const [named] = await land(await cluster.run([drain]));
  const messages = [`given to ${thief.address} by`, "sent 900 tokens", "owner changed: "];
  for (const [at, message] of messages.entries())
    expect(await alerts[at]?.()).toEqual([{ ...named, message: expect.stringContaining(message) }]);
});

function bytesOf(address: string): number {
  const account = svm.getAccount(address as Address);
  return account.exists ? account.data.length : 0;
}

test("a transfer whose accounts are all in a lookup table is measured for the wallet and for the token account", async () => {
  const { token, holder } = await makeHolder();
  const other = await funded();
  await cluster.run([token.open(other.address)]);
  const transfers = { target_type: "large_transfer", config: { token: token.mint } };
  const account = token.account(other.address);
  const alerts = [await watched(other.address, transfers), await watched(account, transfers)];
  const table = await makeLookupTable(cluster, [account, token.account(holder.address), token.mint]);
  const ran = await cluster.run([token.transfer(holder, other.address, 300n)], payer, table);
  const { accountKeys } = (ran.transaction as { message: { accountKeys: string[] } }).message;
  expect(accountKeys).not.toContain(account);
  const [named] = await land(ran);
  for (const of of alerts)
    expect(await of()).toEqual([
      {
        ...named,
        message: expect.stringMatching(new RegExp(`received 300 tokens .* from ${holder.address}`)),
      },
    ]);
});

test("authorities that are given away and back by two transactions of one slot raise an alert for each change", async () => {
  const { token, holder } = await makeHolder();
  const [thief, deployed] = [await funded(), await deployProgram(cluster)];
  const account = token.account(holder.address);
  const alerts = [
    await watched(token.mint, authorityChanges("token")),
    await watched(account, authorityChanges("token")),
    await watched(deployed.program, authorityChanges()),
  ];
  const taken = [
    token.setMintAuthority(payer, thief.address),
    token.reassign(holder, thief.address),
    deployed.setAuthority(thief),
  ];
  const given: Instruction[] = [
    token.setMintAuthority(thief, payer.address),
    {
      programAddress: tokenProgram as Address,
      accounts: [writable(account), signing(thief)],
      data: Buffer.concat([Buffer.of(6, 2, 1), bytesOfAddress(holder.address)]),
    },
    deployed.setAuthority(payer, thief),
  ];
  const [first, second] = await land(await cluster.run(taken), await cluster.run(given));
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  const owners = [payer.address, holder.address, payer.address];
  for (const [at, owner] of owners.entries()) {
    const found = await alerts[at]?.();
    expect(found).toHaveLength(2);
    expect(found).toContainEqual({ ...first, message: expect.stringMatching(`→ ${thief.address} by`) });
    expect(found).toContainEqual({
      ...second,
      message: expect.stringMatching(new RegExp(`${thief.address} → (${owner}|Watched .*) by`)),
    });
  }
});

test("an upgrade authority that is given away and back within one transaction raises two alerts", async () => {
  const [thief, deployed] = [await funded(), await deployProgram(cluster)];
  const alerts = await watched(deployed.program, authorityChanges());
  const moves = [deployed.setAuthority(thief), deployed.setAuthority(payer, thief)];
  const [named] = await land(await cluster.run(moves));
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  const found = await alerts();
  expect(found.map(({ tx_hash }) => tx_hash)).toEqual([named?.tx_hash, named?.tx_hash]);
  for (const change of [`${payer.address} → ${thief.address}`, `${thief.address} → ${payer.address}`])
    expect(found).toContainEqual({ ...named, message: expect.stringContaining(change) });
});

test("an upgrade authority that the new one confirms, and the close of the program, are found by their instructions, and once", async () => {
  const [heir, deployed] = [await funded(), await deployProgram(cluster)];
  const authorities = await watched(deployed.program, authorityChanges());
  const confirmed = await land(await cluster.run([deployed.setAuthorityChecked(heir)]));
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  expect(await authorities()).toEqual([
    { ...confirmed[0], message: expect.stringContaining(`${payer.address} → ${heir.address} by`) },
  ]);
  const other = await deployProgram(cluster);
  const upgrades = await watched(other.program, { target_type: "solana_program_upgrade" });
  const closed = await land(await cluster.run([other.close()]));
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  expect(await upgrades()).toEqual([
    { ...closed[0], message: expect.stringContaining(`program closed by ${payer.address}`) },
  ]);
});

test("a close authority that is granted on a token account is reported as given away", async () => {
  const { token, holder } = await makeHolder();
  const thief = await funded();
  const account = token.account(holder.address);
  const alerts = await watched(holder.address, { target_type: "solana_delegation" });
  const grant: Instruction = {
    programAddress: tokenProgram as Address,
    accounts: [writable(account), signing(holder)],
    data: Buffer.concat([Buffer.of(6, 3, 1), bytesOfAddress(thief.address)]),
  };
  const [named] = await land(await cluster.run([grant, transferSol(payer, holder.address, 1_000_000n)]));
  expect(await alerts()).toEqual([
    {
      ...named,
      message: expect.stringContaining(`token account ${account} can be closed by ${thief.address}`),
    },
  ]);
});

test("an upgrade that someone else pays for names who paid and whose authority it had", async () => {
  const [other, deployed] = [await funded(), await deployProgram(cluster)];
  const alerts = await watched(deployed.program, { target_type: "solana_program_upgrade" });
  const [named] = await land(await cluster.run([deployed.upgrade()], other));
  expect(await alerts()).toEqual([
    {
      ...named,
      message: expect.stringContaining(`by ${other.address} with the authority of ${payer.address}`),
    },
  ]);
});

test("the first deployment of a program that was monitored before is reported with its transaction, and once, and it is inspected as a program", async () => {
  const { program, deploy } = await makeDeployment(cluster);
  const alerts = await watched(program, { target_type: "solana_program_upgrade" });
  const contractType = async () => {
    while ((await inspectDue(world.h.app)).hasMore);
    const { body } = await world.owner.client.get(`/contracts/${contracts.get(program)}`);
    return (body as Contract).contract_type;
  };
  expect(await contractType()).toBe("unknown");
  // The engine examines the contract once after its inspection.
  for (let slots = 0; slots < 2; slots++) {
    cluster.produce();
    await world.runUntilIdle();
  }
  const [named] = await land(await cluster.run(deploy));
  cluster.produce([], { seconds: 90 });
  await world.runUntilIdle();
  // The nodes may take a moment to answer.
  await expect.poll(contractType).toBe("program");
  const { body } = await world.owner.client.get(`/contracts/${contracts.get(program)}/alert-templates`, {
    query: { category: "recommended" },
  });
  expect((body as AlertTemplate[]).map(({ id }) => id)).toContain("solana_program_upgraded");
  expect(await alerts()).toEqual([
    {
      ...named,
      message: expect.stringContaining(`upgraded in slot ${named?.block_number} by ${payer.address}`),
    },
  ]);
});
