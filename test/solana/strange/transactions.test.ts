import { expect, test } from "vitest";
import { renamed } from "../cluster/cluster.ts";
import type { NodeReply } from "../cluster/node.ts";
import { makeQuietNeighbour, ofTransactions } from "./quiet-neighbour.ts";

const world = await makeQuietNeighbour();
const { cluster } = world;

const fails = (code: number, message = "odd"): NodeReply => ({ error: { code, message } });
type Raw = { blockTime: number; meta: { fee: number; preBalances: number[] } };
const changed =
  (change: (raw: Raw) => void) =>
  (raw: Raw): NodeReply => {
    change(raw);
    return { result: raw };
  };

type Answer = [string, (raw: Raw) => NodeReply | "hangs"];

/** Answers that are handled like one of the others. */
const similar: Answer[] = [
  ["that its history is not available (-32011)", () => fails(-32011)],
  ["that it was cleaned up (-32001)", () => fails(-32001)],
  ["that its slot is not available (-32004)", () => fails(-32004)],
  ["an internal error (-32603)", () => fails(-32603)],
  ["neither a result nor an error", () => ({}) as NodeReply],
  ["a text", () => ({ result: "transaction" })],
  [
    "balances that no account can have",
    changed((raw) => {
      raw.meta.preBalances = raw.meta.preBalances.map(() => 1e300);
    }),
  ],
];

const answers: Answer[] = [
  ["that long-term storage is not reachable (-32019)", () => fails(-32019)],
  ["that the node is not healthy (-32005)", () => fails(-32005)],
  ["that the history is pruned", () => fails(-32000, "the transaction history is pruned")],
  ["nothing at all", () => "hangs"],
  [
    "a negative fee",
    changed((raw) => {
      raw.meta.fee = -1;
    }),
  ],
  ...(process.env.TEST_LONG ? similar : []),
];

test.each(answers)("a transaction for which the node answers %s delays no other", async (_, change) => {
  const [alone, odd] = [await world.strangeOne("alone"), await world.strangeOne("odd")];
  const [beside, later] = [await world.quietOne(), await world.quietOne()];
  world.rewrite(ofTransactions([alone, odd], change));
  cluster.produce([alone]);
  await world.step().catch(() => undefined);
  cluster.produce([odd, beside]);
  await world.stepUntilCounted(beside);
  cluster.produce([later]);
  await world.stepUntilCounted(later);
  expect(await world.countedStrange()).not.toContain(odd.signature);
  world.rewrite(undefined);
  for (const executedTransaction of [alone, odd]) await world.stepUntilCounted(executedTransaction);
});

test.each([
  ["in milliseconds", 1_700_000_100_000],
  ["beyond all dates", Number.MAX_SAFE_INTEGER],
])("a time of a transaction %s is not that of the chain", async (_, blockTime) => {
  const [odd, later] = [await world.strangeOne("late"), await world.quietOne()];
  world.rewrite(
    ofTransactions(
      [odd],
      changed((raw) => {
        raw.blockTime = blockTime;
      }),
    ),
  );
  cluster.produce([odd]);
  await world.stepUntilCounted(odd);
  cluster.produce([later]);
  await world.stepUntilCounted(later);
  const chain = world.h.app.db.selectFrom("chain_cursors").select("block_time");
  const { block_time } = await chain.where("chain", "=", "solana").executeTakeFirstOrThrow();
  expect(block_time?.getTime()).toBe(cluster.now * 1000);
});

test("many transactions of one address that are listed and not returned delay no other address", async () => {
  const executedTransaction = await world.strangeOne("many");
  const many = Array.from({ length: 30 }, (_, at) => renamed(executedTransaction, at));
  const lost = new Set(many.map(({ signature }) => signature));
  world.rewrite(({ method, params }, reply) =>
    method === "getTransaction" && lost.has(String(params[0])) ? { result: null } : reply,
  );
  const beside = await world.quietOne();
  cluster.produce(many);
  await world.step().catch(() => undefined);
  cluster.produce([beside]);
  await world.stepUntilCounted(beside);
  world.rewrite(undefined);
  for (const each of [many[0], many.at(-1)]) if (each) await world.stepUntilCounted(each);
});
