import { generateKeyPairSigner, type Instruction, type KeyPairSigner, lamports } from "@solana/kit";
import { expect, test } from "vitest";
import { deployEmitter, emitterIdl, moved } from "./cluster/emitter.ts";
import { makeToken } from "./cluster/programs.ts";
import { makeExtendedMint } from "./cluster/token-2022-extensions.ts";
import { makeSolanaWorld } from "./world.ts";

const world = await makeSolanaWorld();
const { cluster } = world;
const event = moved(cluster.payer.address, 500n);
const failures = { target_type: "tx_rate", config: {} };
/** The number with which the program fails. */
const code = 1;
const errors = [
  { code, name: "LimitReached", msg: "The daily limit is reached" },
  { code: "odd", name: "Malformed" },
];

/** Watches an address with a rule on its failed transactions, and returns the alerts of it. */
async function watched(address: string, abi?: unknown, expression?: string) {
  const { id, contract_id } = await world.watch(address, failures, abi);
  await world.rule(id, { match: { status: "failed", ...(expression && { expression }) } });
  await world.runUntilIdle();
  return async () => (await world.events()).filter((one) => one.contract_id === contract_id);
}

async function fail(instructions: Instruction[], payer?: KeyPairSigner): Promise<void> {
  const ran = await cluster.run(instructions, payer);
  expect(ran.hasFailed).toBe(true);
  cluster.produce([ran]);
  await world.runUntilIdle();
}

test("an alert about a failed transaction names the error as the IDL does, and a rule can ask for it", async () => {
  const emitter = await deployEmitter(cluster);
  const alerts = await watched(emitter.program, { ...emitterIdl, errors }, 'error_name == "LimitReached"');
  await fail([emitter.logAndFail(event)]);
  expect(await alerts()).toMatchObject([
    {
      message: expect.stringContaining("LimitReached (The daily limit is reached)"),
      explanation: {
        evidence: { error_program: emitter.program, error_code: code, error_name: "LimitReached" },
      },
    },
  ]);
});

test("an error of a program that was called is not named by the IDL of its caller", async () => {
  const [caller, called] = [await deployEmitter(cluster), await deployEmitter(cluster)];
  const alerts = await watched(caller.program, { ...emitterIdl, errors });
  await fail([caller.callOther(called.logAndFail(event))]);
  expect(await alerts()).toMatchObject([
    {
      message: expect.stringContaining(`: error ${code}.`),
      explanation: { evidence: { error_program: called.program, error_code: code, error_name: null } },
    },
  ]);
});

test("errors of the token program have their name without an IDL", async () => {
  const token = await makeToken(cluster);
  const [holder, other] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  cluster.svm.airdrop(holder.address, lamports(1_000_000_000n));
  for (const { address } of [holder, other]) await cluster.run([token.open(address)]);
  const alerts = await watched(holder.address);
  await fail([token.transfer(holder, other.address, 5n)], holder);
  expect(await alerts()).toMatchObject([{ message: expect.stringContaining(": InsufficientFunds") }]);
});

test("errors of the extensions of Token-2022 have their name without an IDL", async () => {
  const token = await makeExtendedMint(cluster, "pause");
  const [holder, other] = [await generateKeyPairSigner(), await generateKeyPairSigner()];
  for (const { address } of [holder, other]) {
    cluster.svm.airdrop(address, lamports(1_000_000_000n));
    await cluster.run([token.open(address)]);
  }
  await cluster.run([token.mintTo(holder.address, 90n)]);
  await cluster.run(token.turn("memo", other, true));
  const alerts = await watched(holder.address);
  const transfer = token.transfer(holder, { from: holder.address, to: other.address, amount: 5n });
  await fail([transfer]);
  expect(await alerts()).toMatchObject([{ message: expect.stringContaining(": NoMemo") }]);
  const paused = await watched(token.account(holder.address));
  await cluster.run([token.pause()]);
  await fail([transfer]);
  expect(await paused()).toMatchObject([{ message: expect.stringContaining(": MintPaused") }]);
});

test("an expression about a transaction cannot use names that have no meaning on Solana", async () => {
  const { id } = await world.watch(cluster.payer.address, failures);
  for (const name of ["value", "input", "nonce", "gas_limit", "gas_price"])
    await expect(world.rule(id, { match: { expression: `${name} > 5` } })).rejects.toThrow(
      `uses ${name}, which does not exist`,
    );
});
