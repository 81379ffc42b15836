import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from "viem";
import { expect, onTestFinished, test } from "vitest";
import { artifactsFile, hashDemoSources } from "../../scripts/generate-demo-contracts.ts";
import { DemoChain } from "../../src/chains/demo/node/chain.ts";
import { openChain, Producer } from "../../src/chains/demo/node/producer.ts";
import { ChainStore } from "../../src/chains/demo/node/store.ts";
import { addresses, attacker, treasury } from "../../src/chains/demo/story/accounts.ts";
import { type IncidentName, incidentNames } from "../../src/chains/demo/story/incidents.ts";
import { headerHash } from "../../src/chains/evm/blocks/header-hash.ts";

const time = 1_800_000_000;
const token = parseAbi(["function balanceOf(address owner) view returns (uint256)"]);

/** A clock that only the test moves. */
function makeClock() {
  const clock = { seconds: time, now: () => new Date(clock.seconds * 1000), sleep: async () => undefined };
  return clock;
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-demo-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openProducer(folder: string, clock: ReturnType<typeof makeClock>): Promise<Producer> {
  const store = new ChainStore(folder);
  return new Producer(await openChain(store, clock, { seed: "test", pastBlocks: 20 }), store, clock);
}

async function makeChain(seed: string, blocks: number, request?: IncidentName): Promise<DemoChain> {
  const chain = await DemoChain.open({ seed, time, startsAt: 0 });
  for (let made = 1; made <= blocks; made++)
    await chain.advance({ time: time + made * 2, branch: 0, ...(request && made === 10 && { request }) });
  return chain;
}

/** The chain of nine blocks from which each incident starts. */
const quiet = await makeChain("a", 9);

/** A chain that continues `quiet` without changing it. */
const fork = () => DemoChain.open(quiet.origin, structuredClone(quiet.save()));

async function dollarsOf(chain: DemoChain, owner: Hex, height = chain.head.height): Promise<bigint> {
  const data = encodeFunctionData({ abi: token, functionName: "balanceOf", args: [owner] });
  const block = chain.at(height);
  if (!block) throw new Error(`There is no block ${height}.`);
  const { output } = await chain.call({ from: owner, to: addresses.usd, data }, block);
  return decodeFunctionResult({ abi: token, functionName: "balanceOf", data: output });
}

test("the compiled contracts of the demo are those of the sources", async () => {
  const { sources } = JSON.parse(await readFile(artifactsFile, "utf8")) as { sources: string };
  expect(sources, "Run `npm run generate:demo-contracts`.").toBe(hashDemoSources());
});

test("the demo chain is the same for the same seed, and another one for another seed", async () => {
  const [demoChain, same, other] = [
    await makeChain("a", 30),
    await makeChain("a", 30),
    await makeChain("b", 30),
  ];
  expect(same.head.hash).toBe(demoChain.head.hash);
  expect(other.head.hash).not.toBe(demoChain.head.hash);
  for (const { header, hash } of demoChain.between(0, 30)) expect(headerHash(header)).toBe(hash);
});

test("everything is deployed where the demo says, and every transaction of the first block succeeds", async () => {
  const { transactions } = (await makeChain("a", 1)).head;
  expect(transactions.filter(({ isSuccess }) => !isSuccess)).toEqual([]);
  expect(transactions.flatMap(({ created }) => created ?? [])).toEqual(Object.values(addresses));
});

test.each(incidentNames.map((name) => [name]))(
  "the incident %s happens, and can happen again after it",
  async (name) => {
    const [ordinary, chain] = [await fork(), await fork()];
    const next = { time: time + 20, branch: 0 };
    const { transactions } = await chain.advance({ ...next, request: name });
    const step = transactions.length - (await ordinary.advance(next)).transactions.length;
    expect(step).toBeGreaterThanOrEqual(name === "oracle_stall" ? 0 : 1);
    const isStorm = name === "revert_storm";
    const last = chain.head.transactions.at(-1);
    if (name !== "oracle_stall") expect(last?.isSuccess).toBe(!isStorm);
    for (let made = 11; made < 45; made++) await chain.advance({ time: time + made * 2, branch: 0 });
    const again = await chain.advance({ time: time + 90, branch: 0, request: name });
    if (name !== "oracle_stall") expect(again.transactions.at(-1)?.isSuccess).toBe(!isStorm);
  },
);

test("state is read as it was at a past block", async () => {
  const chain = await makeChain("a", 12, "large_transfer");
  expect(await dollarsOf(chain, attacker, 9)).toBe(0n);
  expect(await dollarsOf(chain, attacker, 10)).toBe(15_000_000n * 10n ** 6n);
});

test("replacing a block undoes its changes", async () => {
  const chain = await makeChain("a", 10, "large_transfer");
  const [gone, before] = [chain.head, await dollarsOf(chain, treasury, 9)];
  await chain.advance({ time: gone.time, branch: 1, isReplaced: true });
  expect(chain.head).toMatchObject({ height: 10, time: gone.time });
  expect(chain.head.hash).not.toBe(gone.hash);
  expect(chain.withHash(gone.hash)).toBeUndefined();
  expect(chain.at(9)?.hash).toBe(chain.head.header.parentHash);
  // The incident begins with this height on either branch.
  expect(before - (await dollarsOf(chain, treasury))).toBe(15_000_000n * 10n ** 6n);
});

test("the chain goes on where it stopped, also after a kill and with a step that was cut off", async () => {
  const [folder, clock] = [await makeFolder(), makeClock()];
  const killed = await openProducer(folder, clock);
  killed.request("upgrade");
  clock.seconds += 20;
  await killed.produce();
  const { height, hash } = killed.chain.head;
  expect(height).toBe(30);
  const steps = join(folder, "steps");
  await writeFile(steps, `${await readFile(steps, "utf8")}{"height":31,"ti`);
  const next = await openProducer(folder, clock);
  expect(next.chain.head.hash).toBe(hash);
  await next.stop();
  // A day later it continues with the time of the day, without the blocks in between.
  clock.seconds += 86_400;
  const later = await openProducer(folder, clock);
  await later.produce();
  expect(later.chain.head).toMatchObject({ height: 31, time: clock.seconds });
  expect(later.chain.head.header.parentHash).toBe(hash);
});
