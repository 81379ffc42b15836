import type { Incident } from "../../scene.ts";

const unit = 10n ** 6n;

/** Users of a compromised site approve a drainer, which then collects, as at BadgerDAO and with Inferno Drainer. */
export const approvalsPhished: Incident = {
  name: "Approvals phished and tokens collected (Inferno Drainer, 2023)",
  covers: ["G6"],
  async setUp({ chain, users, deployer, attacker, coin }) {
    const token = await coin("USDC", 6, 1_000_000_000);
    const exchange = await chain.account(10n ** 20n);
    await chain.run(...users.map((user) => token.call(deployer, "transfer", [user, 1_000_000n * unit])));
    const approve = (user: (typeof users)[number]) => token.call(user, "approve", [attacker, 10n ** 18n]);
    const collect = (user: (typeof users)[number]) =>
      token.call(attacker, "transferFrom", [user, attacker, 10_000n * unit]);
    return {
      watched: { token: token.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(700) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(200n * unit)]),
        ),
        // An exchange and its approvals are usual.
        ...Array.from({ length: times(300) }, () =>
          token.call(pick(users), "transfer", [exchange, amount(100n * unit)]),
        ),
        ...Array.from({ length: times(60) }, () =>
          token.call(pick(users), "approve", [exchange, 10n ** 12n]),
        ),
      ],
      attack: [
        { at: 0, send: () => users.slice(0, 5).map(approve) },
        {
          at: 36,
          send: () => users.slice(5).map(approve),
          signals: [
            {
              on: "token",
              what: "many approvals of one spender",
              by: ["event_frequency"],
              rule: /approval/i,
              severity: "warning",
            },
          ],
        },
        {
          at: 60,
          send: () => users.map(collect),
          signals: [
            {
              on: "token",
              what: "many transfers to one recipient",
              by: ["event_frequency"],
              rule: /transfer/i,
              severity: "warning",
            },
          ],
        },
      ],
    };
  },
};
