import type { Hex } from "../../block.ts";
import type { Call } from "../evm/machine.ts";
import { addresses, keeper, users } from "./accounts.ts";
import { call } from "./calls.ts";
import { eth, firstPrice, usd } from "./opening.ts";
import type { Dice } from "./random.ts";

const daySeconds = 86_400;
/** The keeper writes a price every minute. */
export const priceEverySeconds = 60;

/** Seconds between two transactions, on average, at night and by day. */
const [nightSeconds, daytimeSeconds] = [60, 12];
/** A block after a longer pause has no more transactions. */
const maxSeconds = 30;

/**
 * The ordinary transactions of a block: fewer at night, more by day. They depend on the time since the last block, so that the
 * past, whose blocks are longer, looks like the present.
 */
export function traffic(dice: Dice, { time, parentTime }: { time: number; parentTime: number }): Call[] {
  const byDay = (1 + Math.sin((2 * Math.PI * (time % daySeconds)) / daySeconds - Math.PI / 2)) / 2;
  const perSecond = 1 / nightSeconds + byDay * (1 / daytimeSeconds - 1 / nightSeconds);
  const expected = perSecond * Math.min(time - parentTime, maxSeconds);
  const count = Math.floor(expected) + (dice.next() < expected % 1 ? 1 : 0);
  return Array.from({ length: count }, () => ordinary(dice));
}

function ordinary(dice: Dice): Call {
  const user = dice.pick(users);
  const roll = dice.next();
  if (roll < 0.5) return payment(dice, user);
  if (roll < 0.7) return swap(dice, user);
  if (roll < 0.8) return call(user, addresses.lending, "DemoLending", "supply", [usd(dice.between(50, 900))]);
  if (roll < 0.86)
    return call(user, addresses.lending, "DemoLending", "borrow", [usd(dice.between(20, 400))]);
  if (roll < 0.94)
    return call(user, addresses.vault, "DemoVault", "deposit", [usd(dice.between(20, 800)), user]);
  return call(user, addresses.bridge, "DemoBridge", "lock", [usd(dice.between(10, 500))]);
}

function payment(dice: Dice, from: Hex): Call {
  const to = dice.pick(users.filter((user) => user !== from));
  return call(from, addresses.usd, "DemoToken", "transfer", [to, usd(dice.between(5, 2_500))]);
}

function swap(dice: Dice, from: Hex): Call {
  const isFirst = dice.next() < 0.5;
  const amount = isFirst ? eth(dice.between(10, 900) / 1_000) : usd(dice.between(20, 1_800));
  return call(from, addresses.pair, "DemoPair", "sell", [isFirst, amount, 0n]);
}

/** The price that the keeper writes: it moves by less than one percent around its start. */
export function price(dice: Dice, height: number): Call {
  const drift = Math.sin(height / 700) * 0.006 + (dice.next() - 0.5) * 0.002;
  const answer = BigInt(Math.round(firstPrice * (1 + drift) * 100)) * 10n ** 6n;
  return call(keeper, addresses.feed, "DemoFeed", "update", [answer]);
}
