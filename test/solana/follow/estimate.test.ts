import { expect, test } from "vitest";
import type { Chain } from "../../../src/chains/chain.ts";
import { chainOf } from "../../../src/chains/index.ts";
import { estimateSolanaCalls } from "../../../src/chains/solana/heads/estimate-calls.ts";
import { meterOf } from "../../../src/meters/index.ts";
import { makePlan } from "../../../src/pipeline/watch/make-plan.ts";

const [token, other, ...wallets] = [
  "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
  "So11111111111111111111111111111111111111112",
  "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM",
  "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1",
] as const;

type Watched = [address: string, target_type: string, config: object];

/** The calls a day for the state of contracts that are polled every minute. */
function stateCalls(...watched: Watched[]): number {
  const chain = chainOf("solana") as Chain;
  const contracts = watched.map(([address, target_type, given]) => {
    const meter = meterOf(target_type) ?? expect.fail(`no meter ${target_type}`);
    const target = { meter, config: meter.config.parse(given), rules: [] };
    return { subject: { chain, address }, pollingSeconds: 60, targets: [target] };
  });
  const plan = makePlan(chain, contracts as never, () => new Set());
  const idle = estimateSolanaCalls({ plan: undefined, addresses: 0, pollSeconds: 30, searchCalls: 0 });
  return estimateSolanaCalls({ plan, addresses: 0, pollSeconds: 30, searchCalls: 0 }) - idle;
}

test("the estimate counts a call for each wallet and token, and one for a hundred accounts", () => {
  const [wallet, second] = wallets;
  const minutes = 1_440;
  const ofToken = (address: string, mint: string): Watched => [address, "token_balance", { token: mint }];
  expect(stateCalls(ofToken(wallet, token), ofToken(second, token))).toBe(2 * minutes);
  expect(stateCalls(ofToken(wallet, token), ofToken(wallet, other))).toBe(2 * minutes);
  // Two organisations that watch the same share its call.
  expect(stateCalls(ofToken(wallet, token), ofToken(wallet, token))).toBe(minutes);
  expect(stateCalls([wallet, "native_balance", {}], [second, "native_balance", {}])).toBe(minutes);
});
