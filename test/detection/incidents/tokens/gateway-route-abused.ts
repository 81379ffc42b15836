import type { Incident } from "../../scene.ts";

const usd = 10n ** 6n;

/** A new route of a gateway takes the tokens of everybody who approved it, as at Socket in January 2024. */
export const gatewayRouteAbused: Incident = {
  name: "New route of a gateway takes approved tokens (Socket, January 2024)",
  covers: ["G6", "G11"],
  async setUp({ chain, users, deployer, attacker, coin, fund }) {
    const usdc = await coin("USDC", 6, 1_000_000_000);
    const gateway = await chain.deploy("SwapGateway");
    const bridge = await chain.account(1n);
    await fund(usdc, 2_000_000n * usd, gateway);
    await chain.run(gateway.call(deployer, "addRoute", [bridge]));
    const route = (id: bigint, user: (typeof users)[number], amount: bigint) =>
      gateway.call(id > 1n ? attacker : user, "executeRoute", [id, usdc.address, user, amount]);
    return {
      watched: { gateway: gateway.address, token: usdc.address },
      targets: [
        {
          target_type: "rare_event",
          config: { events: ["NewRouteAdded(uint32 indexed routeId, address indexed route)"] },
        },
      ],
      traffic: ({ times, pick, amount }) => [
        ...Array.from({ length: times(300) }, () => route(1n, pick(users), amount(700n * usd))),
        ...Array.from({ length: times(300) }, () =>
          usdc.call(pick(users), "transfer", [pick(users), amount(700n * usd)]),
        ),
      ],
      attack: [
        {
          at: 0,
          send: () => [gateway.call(deployer, "addRoute", [attacker])],
          signals: [
            {
              on: "gateway",
              what: "route added",
              by: ["configuration_change", "rare_event"],
              severity: "critical",
            },
          ],
        },
        {
          at: 36,
          send: () => [...users, ...users].slice(0, 20).map((user) => route(2n, user, 50_000n * usd)),
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
