import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;

/** Stolen keys of validators release what a bridge holds without deposits, as at Orbit Chain in January 2024. */
export const bridgeForged: Incident = {
  name: "Bridge releases without deposits (Orbit Chain, January 2024)",
  covers: ["G1", "G4", "G12"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const [code, next] = [await chain.deploy("LockBridge"), await chain.deploy("LockBridgeV2")];
    const data = encodeFunctionData({ abi: code.abi, functionName: "initialize", args: [7n] });
    const proxy = await chain.deploy("ERC1967Proxy", code.address, data);
    const bridge = chain.at(proxy.address, "LockBridge");
    await fund(usdc, 5_000_000n * usd, bridge);
    await chain.run(
      bridge.call(deployer, "deposit", [usdc.address, 30_000_000n * usd]),
      bridge.call(deployer, "depositEther", [], 9_000n * ether),
    );
    return {
      watched: { bridge: bridge.address },
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(80) }, () =>
          bridge.call(pick(users), "deposit", [usdc.address, amount(9_000n * usd)]),
        ),
        ...Array.from({ length: times(80) }, () =>
          bridge.call(deployer, "withdraw", [usdc.address, pick(users), amount(9_000n * usd)]),
        ),
        ...Array.from({ length: times(20) }, () =>
          bridge.call(pick(users), "depositEther", [], amount(3n * ether)),
        ),
        ...Array.from({ length: times(20) }, () =>
          bridge.call(deployer, "withdrawEther", [pick(users), amount(3n * ether)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [
            bridge.call(attacker, "addValidator", [attacker]),
            bridge.call(attacker, "setThreshold", [1n]),
          ],
          signals: [
            { on: "bridge", what: "validators changed", by: ["configuration_change"], severity: "critical" },
          ],
        },
        {
          at: 36,
          send: () => [bridge.call(attacker, "withdraw", [usdc.address, attacker, 6_000_000n * usd])],
          signals: [
            { on: "bridge", what: "a fifth of the tokens gone", by: ["token_balance"], severity: "critical" },
          ],
        },
        {
          at: 48,
          send: () => [bridge.call(attacker, "withdrawEther", [attacker, 8_000n * ether])],
          signals: [{ on: "bridge", what: "ether drained", by: ["native_balance"], severity: "critical" }],
        },
        {
          at: 96,
          send: () => [bridge.call(deployer, "setPaused", [true])],
          signals: [{ on: "bridge", what: "paused", by: ["pause_state"], severity: "critical" }],
        },
        {
          at: 156,
          send: () => [bridge.call(deployer, "upgradeToAndCall", [next.address, "0x"])],
          signals: [{ on: "bridge", what: "upgraded", by: ["proxy_implementation"], severity: "critical" }],
        },
        {
          at: 216,
          send: () => [bridge.call(deployer, "setPaused", [false])],
          signals: [{ on: "bridge", what: "unpaused", by: ["pause_state"], severity: "critical" }],
        },
      ],
    };
  },
};
