import type { Hex } from "viem";
import type { Contract, DetectionChain, Sending } from "./chain.ts";
import { normal, poisson } from "./traffic.ts";

/** What an alert must show. */
export type Signal = {
  /** The name of the watched address. */
  on: string;
  what: string;
  /** Target types whose alerts show it. */
  by: readonly string[];
  /** Narrows them down by the name of the rule. */
  rule?: RegExp;
  severity: "critical" | "warning";
};

/** One step of an attack: transactions of one block, or only the time at which something is due. */
export type Step = { at: number; send?: () => Sending[]; signals?: readonly Signal[] };

/** Contracts of an incident, their ordinary traffic and the attack. */
export type Scene = {
  /** What a user registers, by name. */
  watched: Record<string, Hex>;
  /** Targets whose config only a person knows, for templates that need one. */
  targets?: { target_type: string; config: object }[];
  traffic?(moment: Moment): Sending[];
  attack: Step[];
};

/** An incident of the public record, replayed on contracts of the same kind. */
export type Incident = {
  name: string;
  /** The causes of missed or false alerts that it covers. */
  covers: readonly string[];
  setUp(stage: Stage): Promise<Scene>;
};

/** A block of ordinary traffic. */
export type Moment = {
  time: number;
  /** Seconds since the block before. */
  seconds: number;
  /** Returns how often something happens in this block that happens so often on an average day. */
  times(perDay: number): number;
  /** Returns a number from 0 to 1. */
  random(): number;
  pick<Item>(items: readonly Item[]): Item;
  /** An amount around a usual one; one of a hundred is that of a whale. */
  amount(usual: bigint): bigint;
};

export type Stage = {
  chain: DetectionChain;
  deployer: Hex;
  attacker: Hex;
  users: readonly Hex[];
  /** Deploys a token of the deployer. */
  coin(symbol: string, decimals: number, supply: number): Promise<Contract>;
  /** Gives tokens to the users and lets a contract take them. */
  fund(token: Contract, amount: bigint, ...spenders: Contract[]): Promise<void>;
};

export function makeStage(chain: DetectionChain): Stage {
  const [deployer, attacker, ...users] = chain.accounts as [Hex, Hex, ...Hex[]];
  return {
    chain,
    deployer,
    attacker,
    users: users.slice(0, 12),
    coin: (symbol, decimals, supply) =>
      chain.deploy("Coin", symbol, decimals, BigInt(supply) * 10n ** BigInt(decimals)),
    async fund(token, amount, ...spenders) {
      const people = [deployer, ...users.slice(0, 12)];
      await chain.run(
        ...users.slice(0, 12).map((user) => token.call(deployer, "transfer", [user, amount])),
        ...spenders.flatMap(({ address }) =>
          people.map((person) => token.call(person, "approve", [address, 2n ** 255n])),
        ),
      );
    },
  };
}

/** A block of ordinary traffic: much by day, less at night and at the weekend. */
export function momentAt(time: number, seconds: number, random: () => number): Moment {
  const date = new Date(time * 1000);
  const byHour = 1 + 0.7 * Math.sin(((date.getUTCHours() - 9) / 24) * 2 * Math.PI);
  const byDay = [0, 6].includes(date.getUTCDay()) ? 0.6 : 1.15;
  return {
    time,
    seconds,
    times: (perDay) => poisson((perDay * byHour * byDay * seconds) / 86_400, random),
    random,
    pick: (items) => items[Math.floor(random() * items.length)] as (typeof items)[number],
    amount(usual) {
      const factor = Math.exp(0.8 * normal(random)) * (random() < 0.01 ? 8 : 1);
      return (usual * BigInt(Math.round(factor * 1000))) / 1000n + 1n;
    },
  };
}
