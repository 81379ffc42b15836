import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;

/** The owners sign a call that replaces the code of their Safe, and everything is swept, as at Bybit in February 2025. */
export const safeSingletonReplaced: Incident = {
  name: "Code of a Safe replaced (Bybit, February 2025)",
  covers: ["G2", "G8", "G10", "B5"],
  async setUp({ chain, users, deployer, attacker, coin }) {
    const steth = await coin("stETH", 18, 10_000_000);
    const code = await chain.deploy("Safe");
    const setup = encodeFunctionData({ abi: code.abi, functionName: "setup", args: [users.slice(0, 3), 2n] });
    const proxy = await chain.deploy("SafeProxy", code.address, setup);
    const safe = chain.at(proxy.address, "Safe");
    const writer = await chain.deploy("SlotWriter");
    const sweeper = await chain.deploy("Sweeper");
    const swept = chain.at(proxy.address, "Sweeper");
    await chain.run(steth.call(deployer, "transfer", [safe.address, 90_000n * ether]), {
      from: deployer,
      to: safe.address,
      value: 40_000n * ether,
    });
    const replace = encodeFunctionData({
      abi: writer.abi,
      functionName: "transfer",
      args: [sweeper.address, 0n],
    });
    return {
      watched: { safe: safe.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(6) }, () =>
          safe.call(pick(users), "execTransaction", [pick(users), amount(20n * ether), "0x", 0]),
        ),
        ...Array.from({ length: times(6) }, () => ({
          from: deployer,
          to: safe.address,
          value: amount(20n * ether),
        })),
      ],
      attack: [
        {
          at: 0,
          send: () => [safe.call(attacker, "execTransaction", [writer.address, 0n, replace, 1])],
          signals: [
            { on: "safe", what: "code replaced", by: ["proxy_implementation"], severity: "critical" },
          ],
        },
        {
          at: 60,
          send: () => [swept.call(attacker, "sweepETH", [attacker])],
          signals: [{ on: "safe", what: "ether drained", by: ["native_balance"], severity: "critical" }],
        },
        {
          at: 72,
          send: () => [swept.call(attacker, "sweepERC20", [steth.address, attacker])],
          signals: [{ on: "safe", what: "tokens drained", by: ["token_balance"], severity: "critical" }],
        },
      ],
    };
  },
};
