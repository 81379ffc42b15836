import type { Dice } from "../pipeline/dice.ts";
import type { OtherCount, PlainRule } from "../pipeline/oracle.ts";
import type { Client } from "../support/client.ts";
import { contracts, topics } from "./contents.ts";

/** A rule on the simulated chain, with the series of its readings. */
export type SimRule = PlainRule & { topic: string; series_id: string; target_id: string };

/** The rules, and the target whose state is read. */
export type Watched = { rules: SimRule[]; balance: { series_id: string; address: string } };

const transferSignature = "Transfer(address indexed from, address indexed to, uint256 value)";

const notedSignature = "Noted(bytes32 indexed note)";

/** Creates contracts of the simulated chain with rules that count transfers, and one balance target. */
export async function watchSimulated(
  client: Client,
  dice: Dice,
  { count = 2, chain = "local" } = {},
): Promise<Watched> {
  const rules: SimRule[] = [];
  let balance: Watched["balance"] | undefined;
  for (const address of contracts.slice(0, count)) {
    const targets = await watch(client, chain, address);
    const transfers = targets.event_frequency ?? "";
    balance = { series_id: targets.native_balance ?? "", address };
    const on = { client, dice, address, transfers, notes: targets.notes ?? "" };
    for (let number = 0; number < 3; number++) rules.push(await addRule(on));
    rules.push(await addRule(on, { groupBy: "to" }));
    const combines = dice.pick(["all", "any"] as const);
    const other = {
      combines,
      topic: topics.noted,
      threshold: dice.between(1, 3),
      window: dice.pick([60, 120]),
    };
    rules.push(await addRule(on, { other }));
  }
  if (!balance) throw new Error("No contract was created.");
  return { rules, balance };
}

/** The ids of a contract's targets, by type. */
async function watch(client: Client, chain: string, address: string): Promise<Record<string, string>> {
  const selected_targets = [
    { target_type: "event_frequency", config: { event_signature: transferSignature } },
    { target_type: "event_frequency", config: { event_signature: notedSignature } },
    { target_type: "native_balance" },
  ];
  const { id } = await bodyOf<{ id: string }>(
    client.post("/contracts", { chain, address, selected_targets }),
  );
  const targets = await bodyOf<{ id: string; target_type: string; config: { event_signature?: string } }[]>(
    client.get(`/contracts/${id}/targets`),
  );
  const nameOf = ({ target_type, config }: (typeof targets)[number]) =>
    config.event_signature === notedSignature ? "notes" : target_type;
  return Object.fromEntries(targets.map((target) => [nameOf(target), target.id]));
}

type On = { client: Client; dice: Dice; address: string; transfers: string; notes: string };

async function addRule(
  { client, dice, address, transfers: target_id, notes }: On,
  special: Pick<SimRule, "groupBy" | "other"> = {},
): Promise<SimRule> {
  const isEach = !special.other && dice.chance(0.3);
  const plain = {
    isEach,
    address,
    topic: topics.transfer,
    threshold: isEach ? 1 : dice.between(1, 4),
    amount: BigInt(dice.pick([0, 0, 3e8, 7e8])),
    window: dice.pick([60, 60, 90, 300]),
    forSeconds: isEach ? 0 : dice.pick([0, 0, 0, 12, 36]),
    resolveAfter: dice.pick([0, 0, 24]),
  };
  const match = { events: [{ signature: transferSignature, expression: `value >= ${plain.amount}` }] };
  const { id } = await bodyOf<{ id: string }>(
    client.post("/alerts", {
      target_id,
      record_only: true,
      severity: "info",
      cooldown_seconds: 0,
      for_seconds: plain.forSeconds,
      resolve_after_seconds: plain.resolveAfter,
      confirmations: dice.pick([null, null, 2, "safe"]),
      condition: {
        operator: "gte",
        threshold: plain.threshold,
        window_seconds: plain.window,
        aggregation: isEach ? "each" : "count",
        ...(plain.amount > 0n && { match }),
        ...(special.groupBy && { group_by: `args.${special.groupBy}` }),
        ...(special.other && { [special.other.combines]: [otherCondition(special.other, notes)] }),
      },
    }),
  );
  const hasSeries = plain.amount > 0n || special.groupBy !== undefined;
  return { id, ...plain, ...special, target_id, series_id: hasSeries ? id : target_id };
}

export function otherCondition({ threshold, window }: OtherCount, target_id: string) {
  return { target_id, operator: "gte", threshold, aggregation: "count", window_seconds: window };
}

async function bodyOf<Body>(reply: ReturnType<Client["get"]>): Promise<Body> {
  const { status, body, text } = await reply;
  if (status !== 200) throw new Error(text);
  return body as Body;
}
