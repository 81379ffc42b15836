import { encodeFunctionData, keccak256, toHex } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** Cheap votes make a contract of the attacker govern, which plans and executes a mint, as at Curio in March 2024. */
export const chiefReplaced: Incident = {
  name: "Votes replace the governing contract and mint (Curio, March 2024)",
  covers: ["G2", "G8", "G11"],
  async setUp({ chain, deployer, users, attacker }) {
    const token = await chain.deploy("RoleCoin", "CGT", 100_000_000n * unit);
    const chief = await chain.deploy("VoteChief", token.address);
    const pause = await chain.deploy("PlanPause", 86_400n, chief.address);
    const minter = keccak256(toHex("MINTER_ROLE"));
    await chain.run(
      token.call(deployer, "grantRole", [minter, pause.address]),
      ...users.map((user) => token.call(deployer, "transfer", [user, 100_000n * unit])),
      token.call(deployer, "transfer", [attacker, 5_000_000n * unit]),
      ...[attacker, ...users].map((one) => token.call(one, "approve", [chief.address, 2n ** 255n])),
    );
    await chain.run(
      ...users.flatMap((user) => [
        chief.call(user, "lock", [1_000n * unit]),
        chief.call(user, "vote", [deployer]),
      ]),
    );
    await chain.run(chief.call(deployer, "lift", [deployer]));
    const mint = encodeFunctionData({
      abi: token.abi,
      functionName: "mint",
      args: [attacker, 1_000_000_000n * unit],
    });
    const critical = { severity: "critical" } as const;
    const control = ["configuration_change", "ownership_change", "view_function", "rare_event"];
    return {
      watched: { chief: chief.address, pause: pause.address, token: token.address },
      traffic: ({ times, pick, amount }) => [
        ...["lock", "free"].flatMap((one) =>
          Array.from({ length: times(12) }, () => chief.call(pick(users), one, [amount(20n * unit)])),
        ),
        ...Array.from({ length: times(6) }, () => chief.call(pick(users), "vote", [deployer])),
        ...Array.from({ length: times(150) }, () =>
          token.call(pick(users), "transfer", [pick(users), amount(50n * unit)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [
            chief.call(attacker, "lock", [5_000_000n * unit]),
            chief.call(attacker, "vote", [attacker]),
            chief.call(attacker, "lift", [attacker]),
          ],
          signals: [{ ...critical, on: "chief", what: "governing contract replaced", by: control }],
        },
        {
          at: 36,
          send: () => [
            pause.call(attacker, "setDelay", [0n]),
            pause.call(attacker, "plot", [token.address, mint]),
          ],
          signals: [{ ...critical, on: "pause", what: "delay cut", by: ["timelock_delay", ...control] }],
        },
        {
          at: 60,
          send: () => [pause.call(attacker, "exec", [token.address, mint])],
          signals: [{ ...critical, on: "token", what: "supply up", by: ["token_supply"] }],
        },
      ],
    };
  },
};
