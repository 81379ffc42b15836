import { type Address, generateKeyPairSigner, type KeyPairSigner, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { discriminatorOf } from "../../src/chains/solana/idl/discriminator.ts";
import { squadsV3 } from "../../src/chains/solana/multisigs/squads-v3.ts";
import { squadsV4 } from "../../src/chains/solana/multisigs/squads-v4.ts";
import { inspectDue } from "../../src/domain/inspection/inspect-due.ts";
import { meterOf } from "../../src/meters/index.ts";
import { templates } from "../../src/templates/index.ts";
import type { AlertTemplate, TemplatesApplied } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { ContractAnalysis } from "../../src/wire/inspection/contract-analysis.ts";
import { multisigAccount, withInstruction } from "./cluster/multisig-account.ts";
import { pythUpdate, switchboardFeed } from "./cluster/price-accounts.ts";
import { makeToken, memo, transferSol } from "./cluster/programs.ts";
import { deployProgram } from "./cluster/upgrades.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster, owner, h } = world;
const channel = { type: "webhook", name: "On-call", config: { url: "https://example.com/hook" } };
const { id: channel_id } = (await owner.client.post("/channels", channel)).body as { id: string };

async function funded(sol = 10n): Promise<KeyPairSigner> {
  const signer = await generateKeyPairSigner();
  cluster.svm.airdrop(signer.address, lamports(sol * 1_000_000_000n));
  return signer;
}

/** Adds an address and applies its recommended templates; returns the template of each rule. */
async function protect(address: string) {
  const added = await owner.client.post("/contracts", { chain: "solana", address });
  const { id } = added.body as { id: string };
  const path = `/contracts/${id}/alert-templates`;
  const query = { category: "recommended" };
  const recommended = (await owner.client.get(path, { query })).body as AlertTemplate[];
  const applied = await owner.client.post(`${path}/apply`, { channel_id });
  const { rules } = applied.body as TemplatesApplied;
  const firedBy = async () => {
    const events = (await world.events()).filter(({ contract_id }) => contract_id === id);
    const templateOf = new Map(rules.map(({ rule_id, template_id }) => [rule_id, template_id]));
    return new Map(events.map((event) => [templateOf.get(event.rule_id ?? ""), event.message]));
  };
  return { id, path, recommended, names: recommended.map((one) => one.id).sort(), firedBy };
}

/** Steps through slots until the first polls are done. */
async function pass(...seconds: number[]): Promise<void> {
  for (const one of [0, ...seconds]) {
    if (one > 0) cluster.produce([], { seconds: one });
    await world.runUntilIdle();
  }
}

test("the templates of Solana are those that the attacks below fire", () => {
  const own = templates.filter(({ target_type }) => !meterOf(target_type)?.families.includes("evm"));
  expect(own.map(({ id }) => id).sort()).toEqual([
    ...["solana_authority_taken", "solana_delegate_granted", "solana_multisig_changed"],
    "solana_program_upgraded",
  ]);
});

test("a program gets alerts of its upgrade by a single key and of its authority, which an attack fires and an ordinary history does not", async () => {
  const deployed = await deployProgram(cluster);
  const thief = await funded();
  const program = await protect(deployed.program);
  expect(program.names).toEqual(["solana_authority_taken", "solana_program_upgraded"]);
  expect(program.recommended.find(({ id }) => id === "solana_program_upgraded")?.threshold_source).toBe(
    `The account ${cluster.payer.address} can upgrade the program.`,
  );
  await pass(1);
  // Anyone may extend the account and use the program.
  const stranger = await funded();
  cluster.produce([await cluster.run([deployed.extend(stranger)], stranger)]);
  await pass(90);
  expect([...(await program.firedBy()).keys()]).toEqual([]);
  cluster.produce([await cluster.run([deployed.upgrade()])]);
  cluster.produce([await cluster.run([deployed.setAuthority(thief)])]);
  await pass();
  const fired = await program.firedBy();
  expect(fired.get("solana_program_upgraded")).toContain(`by ${cluster.payer.address}`);
  expect(fired.get("solana_authority_taken")).toContain(`${cluster.payer.address} → ${thief.address}`);
});

test("a mint gets alerts of a mint spike and of a taken mint authority, which an attack fires and an ordinary history does not", async () => {
  const token = await makeToken(cluster);
  const thief = await funded();
  await cluster.run([token.open(thief.address), token.mintTo(thief.address, 1_000_000n)]);
  const mint = await protect(token.mint);
  expect(mint.names).toEqual(["solana_authority_taken", "token_supply_drop", "token_supply_jump"]);
  await pass(1, 90);
  cluster.produce([await cluster.run([token.mintTo(thief.address, 10_000n)])]);
  await pass(90, 90);
  expect([...(await mint.firedBy()).keys()]).toEqual([]);
  await cluster.run([token.mintTo(thief.address, 5_000_000n)]);
  cluster.produce([await cluster.run([token.setMintAuthority(cluster.payer, thief.address)])]);
  await pass(90, 90);
  const fired = await mint.firedBy();
  expect(fired.get("token_supply_jump")).toContain("supply");
  expect(fired.get("solana_authority_taken")).toContain(
    `: mint authority changed: ${cluster.payer.address} → ${thief.address} by ${cluster.payer.address}`,
  );
});

test("a token account gets alerts of its drain, its delegate and its owner, which an attack fires and an ordinary history does not", async () => {
  const token = await makeToken(cluster);
  const [holder, thief] = [await funded(), await funded()];
  await cluster.run([token.open(holder.address), token.mintTo(holder.address, 9_000_000n)]);
  await cluster.run([token.open(thief.address)]);
  const account = await protect(token.account(holder.address));
  expect(account.names).toEqual(["asset_drained", "solana_authority_taken"]);
  await pass(1, 90);
  cluster.produce([await cluster.run([token.transfer(holder, thief.address, 90_000n)], holder)]);
  cluster.produce([await cluster.run([token.mintTo(holder.address, 70_000n)])]);
  await pass(90);
  expect([...(await account.firedBy()).keys()]).toEqual([]);
  cluster.produce([await cluster.run([token.approve(holder, thief.address, 500n)], holder)]);
  cluster.produce([await cluster.run([token.transfer(holder, thief.address, 8_000_000n)], holder)]);
  await pass(90);
  const fired = await account.firedBy();
  expect(fired.get("asset_drained")).toContain("Token balance");
  expect(fired.get("solana_authority_taken")).toContain(`delegate changed: none → ${thief.address}`);
});

test("a wallet gets alerts of a delegate, of a drain and of a keeper that is silent, which an attack fires and an ordinary history does not", async () => {
  const token = await makeToken(cluster);
  const [keeper, thief] = [await funded(), await funded()];
  await cluster.run([token.open(keeper.address), token.mintTo(keeper.address, 9_000_000n)]);
  await cluster.run([token.open(thief.address)]);
  const wallet = await protect(keeper.address);
  expect(wallet.names).toEqual([
    ...["asset_drained", "native_drained", "solana_delegate_granted"],
    ...["wallet_balance_low", "wallet_silent"],
  ]);
  await pass(1);
  for (let sent = 0; sent < 10; sent++) {
    const payment = token.transfer(keeper, thief.address, 10_000n);
    cluster.produce([await cluster.run([memo(`work ${sent}`), payment], keeper)], { seconds: 120 });
    await pass();
  }
  expect([...(await wallet.firedBy()).keys()]).toEqual([]);
  cluster.produce([await cluster.run([token.approve(keeper, thief.address, 500n)], keeper)]);
  cluster.produce([
    await cluster.run([token.transfer(keeper, thief.address, 8_000_000n)], keeper),
    await cluster.run([transferSol(keeper, thief.address, 9_000_000_000n)], keeper),
  ]);
  await pass(90, 400);
  const fired = await wallet.firedBy();
  expect([...fired.keys()].sort()).toEqual(wallet.names);
  expect(fired.get("solana_delegate_granted")).toContain(
    `delegate ${thief.address} of the token account ${token.account(keeper.address)} may move 500 of the smallest unit`,
  );
});

const feeds = [
  {
    name: "Pyth",
    program: "rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ",
    dataOf: (price: bigint, updatedAt: number) => pythUpdate({ price, exponent: -8, updatedAt }),
  },
  {
    name: "Switchboard",
    program: "SBondMDrcV3K4kxZR1HNVT7osZxAHVHgYXL5Ze1oMUv",
    dataOf: (price: bigint, updatedAt: number) =>
      switchboardFeed({ value: price * 10n ** 10n, updatedAt, name: "SOL/USD" }),
  },
];

test.each(feeds)(
  "a price feed of $name gets alerts of a stale and of an invalid price, which a silent feed fires",
  async ({ program, dataOf }) => {
    const { address } = await generateKeyPairSigner();
    const time = cluster.now + 10_000;
    const publish = (price: bigint) => put(address, program, dataOf(price, time));
    publish(15_012_345_678n);
    const feed = await protect(address);
    expect(feed.names).toEqual([
      ...["oracle_invalid_price", "oracle_price_drop", "oracle_price_jump", "oracle_stale"],
    ]);
    await pass(time - cluster.now, 90);
    expect([...(await feed.firedBy()).keys()]).toEqual([]);
    expect((await world.targets(feed.id)).map(({ last_value }) => last_value)).toContain(150.12345678);
    publish(0n);
    await pass(3_700);
    const fired = await feed.firedBy();
    expect(fired.get("oracle_stale")).toContain("last price update 1 h");
    expect(fired.get("oracle_invalid_price")).toContain("not a valid price");
  },
);

test("a template that cannot work on a Solana address says why", async () => {
  const immutable = await deployProgram(cluster);
  await cluster.run([immutable.finalize()]);
  const program = await protect(immutable.program);
  expect(program.names).toEqual([]);
  const reasons = async (at: string, category: string) => {
    const listed = (await owner.client.get(at, { query: { category } })).body as AlertTemplate[];
    return new Map(listed.map(({ id, reason }) => [id, reason]));
  };
  const ofProgram = await reasons(program.path, "governance");
  expect(ofProgram.get("solana_program_upgraded")).toBe(
    "The program has no upgrade authority: it cannot change.",
  );
  expect(ofProgram.get("solana_authority_taken")).toBe("The address has no authority that could be taken.");
  expect(ofProgram.has("gov_upgrade")).toBe(false);
  const ofToken = await reasons(program.path, "token");
  expect(ofToken.get("token_supply_jump")).toBe("The address is a program, and not a token mint.");
  while ((await inspectDue(h.app)).hasMore);
  const wallet = await protect((await funded()).address);
  expect((await reasons(wallet.path, "governance")).get("solana_program_upgraded")).toBe(
    "The address is a wallet, and not a program.",
  );
});

test.each([
  { version: squadsV4, accountOf: multisigAccount.v4, name: "v4" },
  { version: squadsV3, accountOf: multisigAccount.v3, name: "v3" },
])(
  "a vault of Squads $name is recognised as the authority of a program, with the members and the threshold of its multisig",
  async ({ version, accountOf }) => {
    const deployed = await deployProgram(cluster);
    const { address: multisig } = await generateKeyPairSigner();
    const members = [
      await generateKeyPairSigner(),
      await generateKeyPairSigner(),
      await generateKeyPairSigner(),
    ];
    const [vault = ""] = version.vaults(multisig);
    const handed = await cluster.run([deployed.setAuthority({ address: vault })]);
    // The program of Squads is not in the cluster: a memo stands for what it executed with the vault.
    const executed = withInstruction(await cluster.run([memo("execute")]), {
      ...{ program: version.program, accounts: [multisig, vault], data: Buffer.alloc(0) },
    });
    cluster.produce([handed, executed]);
    const powerOf = async () => {
      const made = await owner.client.post("/contracts", { chain: "solana", address: deployed.program });
      const { id } = made.body as Contract;
      const analysis = (await owner.client.get(`/contracts/${id}/analysis`)).body as ContractAnalysis;
      await owner.client.delete(`/contracts/${id}`);
      return analysis;
    };
    expect((await powerOf()).powers).toMatchObject([{ holder: { kind: "contract", address: vault } }]);
    const data = accountOf({ threshold: 2, members: members.map(({ address }) => address) });
    for (const [length, kind] of [
      [data.length - 1, "contract"],
      [data.length, "safe"],
    ] as const) {
      put(multisig, version.program, data.subarray(0, length));
      expect((await powerOf()).powers).toMatchObject([{ power: "upgrade_authority", holder: { kind } }]);
    }
    expect(await powerOf()).toMatchObject({
      powers: [{ holder: { address: vault, threshold: 2, owners: members.map(({ address }) => address) } }],
      findings: [
        {
          id: "upgrade_authority",
          severity: "warning",
          title: "A multisig (2 of 3) can upgrade the program",
          detail: expect.stringContaining(`The multisig ${vault} (2 of 3) is the upgrade authority`),
        },
      ],
    });
  },
);

test.each([
  { version: squadsV4, accountOf: multisigAccount.v4, change: "config_transaction_execute", name: "v4" },
  { version: squadsV3, accountOf: multisigAccount.v3, change: "change_threshold", name: "v3" },
])(
  "a multisig of Squads $name gets an alert of a lowered threshold and of a new member, with who made the transaction, and of nothing else",
  async ({ version, accountOf, change }) => {
    const { program } = version;
    const { address: multisig } = await generateKeyPairSigner();
    const members = [(await funded()).address, (await funded()).address, (await funded()).address];
    const [thief, other] = [await funded(), await funded()];
    const send = async (by: KeyPairSigner, instruction: string) => {
      const ran = await cluster.run([memo(instruction)], by);
      const data = discriminatorOf("global", instruction);
      cluster.produce([withInstruction(ran, { program, accounts: [multisig], data })]);
      return ran.signature;
    };
    put(multisig, program, accountOf({ threshold: 2, members }));
    const { id, names, firedBy } = await protect(multisig);
    expect(names).toEqual(["solana_multisig_changed"]);
    await pass(1, 90);
    put(multisig, program, accountOf({ threshold: 2, members: members.toReversed() }));
    await send(other, "proposal_approve");
    await pass(90);
    expect([...(await firedBy()).keys()]).toEqual([]);
    const changed = [...members.slice(1), thief.address, members[0] ?? ""];
    put(multisig, program, accountOf({ threshold: 1, members: changed }));
    const signature = await send(thief, change);
    await send(other, "proposal_approve");
    await pass(90);
    expect((await firedBy()).get("solana_multisig_changed")).toContain(
      `multisig changed: threshold lowered, 2 of 3 → 1 of 4; added ${thief.address} by ${thief.address}`,
    );
    const [event] = (await world.events()).filter(({ contract_id }) => contract_id === id);
    expect(event?.tx_hash).toBe(signature);
  },
);

function put(address: Address, program: string, data: Buffer): void {
  const account = { data, executable: false, lamports: lamports(10_000_000n) };
  cluster.svm.setAccount({
    ...{ address, space: BigInt(data.length), ...account },
    programAddress: program as Address,
  });
}
