import { pad } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A forged peer mints a bridged token, as GAIN of Griffin AI in September 2025. */
export const omnichainPeerForged: Incident = {
  name: "Forged peer mints a bridged token (Griffin AI, September 2025)",
  covers: ["G2", "G12"],
  async setUp({ chain, users, deployer, attacker }) {
    const endpoint = await chain.account(0n);
    const token = await chain.deploy("OmnichainToken", endpoint, 1_000_000_000n * unit);
    const peer = pad("0xbeef", { size: 32 });
    await chain.run(
      token.call(deployer, "setPeer", [30101, peer]),
      ...users.map((user) => token.call(deployer, "transfer", [user, 1_000_000n * unit])),
    );
    return {
      watched: { token: token.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(40) }, () =>
          token.call(deployer, "receiveFrom", [30101, peer, pick(users), amount(20_000n * unit)]),
        ),
        ...Array.from({ length: times(40) }, () => token.call(pick(users), "send", [amount(15_000n * unit)])),
        ...Array.from({ length: times(80) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(5_000n * unit)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [token.call(deployer, "setPeer", [30102, pad(attacker, { size: 32 })])],
          signals: [
            {
              on: "token",
              what: "peer set",
              by: ["configuration_change", "bridge_config"],
              severity: "critical",
            },
          ],
        },
        {
          at: 24,
          send: () => [
            token.call(attacker, "receiveFrom", [
              30102,
              pad(attacker, { size: 32 }),
              attacker,
              5_000_000_000n * unit,
            ]),
          ],
          signals: [{ on: "token", what: "supply up", by: ["token_supply"], severity: "critical" }],
        },
      ],
    };
  },
};
