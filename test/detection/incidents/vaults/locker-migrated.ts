import type { Contract } from "../../chain.ts";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;
const tokens = 10;

/**
 * A migration takes what others have locked, as at Team Finance in October 2022. The locker holds more tokens than most
 * contracts.
 */
export const lockerMigrated: Incident = {
  name: "Locked liquidity migrated by a stranger (Team Finance, October 2022)",
  covers: ["G1", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const locker = await chain.deploy("LiquidityLocker");
    const coins: Contract[] = [];
    for (let at = 0; at < tokens; at++) coins.push(await coin(`LP${at}`, 18, 100_000_000));
    for (const contract of coins) await fund(contract, 100_000n * unit, locker);
    const lock = (contract: Contract, user: typeof deployer, amount: bigint) =>
      locker.call(user, "lockToken", [contract.address, amount]);
    await chain.run(...coins.map((contract) => lock(contract, deployer, 400_000n * unit)));
    const steal = (at: number) =>
      locker.call(attacker, "migrate", [(coins[at] as Contract).address, BigInt(at), 390_000n * unit]);
    const critical = { on: "locker", severity: "critical", by: ["token_balance"] } as const;
    return {
      watched: { locker: locker.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(30) }, () => lock(pick(coins), pick(users), amount(500n * unit))),
        ...Array.from({ length: times(20) }, () =>
          locker.call(pick(users), "withdrawTokens", [pick(coins).address, 1n, amount(200n * unit)]),
        ),
        ...Array.from({ length: times(12) }, () => locker.call(pick(users), "extendLockDuration", [1n])),
      ],
      attack: [
        {
          at: 0,
          send: () => [steal(9)],
          signals: [
            { ...critical, what: "ninth token taken", rule: /LP9/ },
            {
              on: "locker",
              what: "liquidity migrated",
              by: ["rare_event", "configuration_change"],
              severity: "warning",
            },
          ],
        },
        {
          at: 24,
          send: () => [steal(1)],
          signals: [{ ...critical, what: "first token taken", rule: /LP1/ }],
        },
        {
          at: 48,
          send: () => [steal(5)],
          signals: [{ ...critical, what: "fifth token taken", rule: /LP5/ }],
        },
      ],
    };
  },
};
