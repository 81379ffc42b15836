import { encodeFunctionData } from "viem";
import type { Incident } from "../../scene.ts";

const usd = 10n ** 6n;

/** The code behind proxies is replaced without an event, as at USPD in December 2025, and by a setter of an old proxy. */
export const proxyHiddenUpgrade: Incident = {
  name: "Code behind proxies replaced without an event (USPD, December 2025)",
  covers: ["B5", "G8", "G10"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 1_000_000_000);
    const [code, next] = [await chain.deploy("LockBridge"), await chain.deploy("LockBridgeV2")];
    const data = encodeFunctionData({ abi: code.abi, functionName: "initialize", args: [7n] });
    const vault = chain.at((await chain.deploy("ERC1967Proxy", code.address, data)).address, "LockBridge");
    const old = await chain.deploy("NamingProxy", code.address);
    const asOld = chain.at(old.address, "LockBridge");
    await fund(usdc, 1_000_000n * usd, vault, old);
    await chain.run(asOld.call(deployer, "deposit", [usdc.address, 100_000n * usd]));
    return {
      watched: { vault: vault.address, old: old.address },
      traffic: ({ times, pick, amount }) =>
        Array.from({ length: times(60) }, () =>
          pick([vault, asOld]).call(pick(users), "deposit", [usdc.address, amount(900n * usd)]),
        ),
      attack: [
        {
          at: 0,
          send: () => [vault.call(attacker, "corrupt", [next.address])],
          signals: [
            { on: "vault", what: "code replaced", by: ["proxy_implementation"], severity: "critical" },
          ],
        },
        {
          at: 24,
          send: () => [old.call(attacker, "setTarget", [next.address])],
          signals: [{ on: "old", what: "code replaced", by: ["proxy_implementation"], severity: "critical" }],
        },
      ],
    };
  },
};
