import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const unit = 10n ** 18n;

/** A proxy is initialised a second time, which makes the attacker its governance, as at Audius in July 2022. */
export const stakingInitialisedAgain: Incident = {
  name: "Staking contract initialised again (Audius, July 2022, and unclaimed proxies of 2025)",
  covers: ["B5", "G1", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const token = await coin("AUDIO", 18, 1_000_000_000);
    const code = await chain.deploy("ReusedStaking");
    const args = [token.address, deployer];
    const data = encodeFunctionData({ abi: code.abi, functionName: "initialize", args });
    const proxy = await chain.deploy("ERC1967Proxy", code.address, data);
    const staking = chain.at(proxy.address, "ReusedStaking");
    await fund(token, 2_000_000n * unit, staking);
    await chain.run(...users.map((user) => staking.call(user, "stake", [1_000_000n * unit])));
    const critical = { on: "staking", severity: "critical" } as const;
    return {
      watched: { staking: staking.address },
      traffic: ({ times, pick, amount }) =>
        ["stake", "unstake"].flatMap((one) =>
          Array.from({ length: times(40) }, () => staking.call(pick(users), one, [amount(9_000n * unit)])),
        ),
      attack: [
        {
          at: 0,
          send: () => [staking.call(attacker, "initialize", [token.address, attacker])],
          signals: [
            {
              ...critical,
              what: "initialised again",
              by: [
                "configuration_change",
                "rare_event",
                "ownership_change",
                "proxy_implementation",
                "view_function",
              ],
            },
          ],
        },
        {
          at: 36,
          send: () => [staking.call(attacker, "slash", [9_000_000n * unit, attacker])],
          signals: [{ ...critical, what: "stake drained", by: ["token_balance"] }],
        },
      ],
    };
  },
};
