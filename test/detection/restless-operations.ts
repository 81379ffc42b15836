import { zeroAddress } from "viem";
import type { Incident } from "./scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;
const [hour, day] = [3_600, 86_400];

/**
 * What looks like an attack and is none: events and values that are named like settings and change in ordinary use, a very busy
 * token, a contract that is used on weekdays, one that is used twice a day, a feed of a day, and an own bridge and market.
 */
export const restlessOperations: Incident = {
  name: "Restless operations without an attack",
  covers: ["G13"],
  async setUp({ chain, users, deployer, coin, fund }) {
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const market = await chain.deploy("RestlessMarket");
    const busy = await chain.deploy("TaxedToken", 1_000_000_000n * ether);
    const silo = await chain.deploy("YieldSilo", usdc.address);
    const gateway = await chain.deploy("GuardedGateway");
    const source = await chain.deploy("Aggregator");
    const feed = await chain.deploy("PriceFeed", source.address, "EUR / USD");
    const desk = await chain.deploy("LoanDesk", usdc.address, feed.address);
    const office = await chain.deploy("CompanyWallet", users.slice(0, 4), 2n);
    const rare = await chain.deploy(
      "EarlyStablePool",
      usdc.address,
      (await coin("USDT", 6, 1_000_000)).address,
    );
    await fund(usdc, 5_000_000n * usd, silo, gateway, desk, rare);
    await chain.run(
      ...users.map((user) => busy.call(deployer, "transfer", [user, 1_000_000n * ether])),
      ...users.map((user) => silo.call(user, "enter", [400_000n * usd])),
      gateway.call(deployer, "lockForChain", [1n, usdc.address, 9_000_000n * usd]),
      desk.call(deployer, "deposit", [9_000_000n * usd]),
      desk.call(deployer, "borrow", [7_500_000n * usd]),
      usdc.call(deployer, "transfer", [office.address, 2_000_000n * usd]),
      ...Array.from({ length: 40 }, (_, at) =>
        source.call(deployer, "push", [108_000_000n, BigInt(chain.now() - (40 - at) * day)]),
      ),
    );
    let [euro, lastEuro, updated, quiet] = [1.08, 1.08, 0, 0];
    const word = `0x${"00".repeat(32)}`;
    return {
      watched: {
        ...{ market: market.address, busy: busy.address, silo: silo.address, gateway: gateway.address },
        ...{ feed: feed.address, desk: desk.address, office: office.address, rare: rare.address },
      },
      traffic({ time, seconds, times, pick, amount, random }) {
        const isWorkday = ![0, 6].includes(new Date(time * 1000).getUTCDay());
        const isOffice = isWorkday && time % day > 8 * hour && time % day < 17 * hour;
        const several = <Item>(perDay: number, make: () => Item) =>
          Array.from({ length: times(perDay) }, make);
        const sendings = [
          ...several(150, () => market.call(pick(users), "trade", [amount(10n ** 6n)])),
          ...several(48, () => market.call(pick(users), "update", [amount(10n ** 18n)])),
          ...several(30, () => market.call(deployer, "close", [pick(users), amount(10n ** 6n)])),
          ...several(900, () => busy.call(pick(users), "transfer", [pick(users), amount(200n * ether)])),
          ...several(30, () => busy.call(pick(users), "approve", [pick(users), amount(200n * ether)])),
          ...several(12, () => silo.call(pick(users), "enter", [amount(9_000n * usd)])),
          ...several(12, () => silo.call(pick(users), "leave", [amount(9_000n * usd)])),
          ...several(40, () =>
            gateway.call(pick(users), "lockForChain", [1n, usdc.address, amount(9_000n * usd)]),
          ),
          ...several(40, () =>
            gateway.call(deployer, "unlockFromChain", [
              word,
              usdc.address,
              pick(users),
              amount(9_000n * usd),
            ]),
          ),
          ...["deposit", "withdraw", "borrow", "repay"].flatMap((one) =>
            several(20, () => desk.call(pick(users), one, [amount(3_000n * usd)])),
          ),
          ...several(2, () => desk.call(deployer, "liquidate", [pick(users), 10n * usd])),
          ...several(isOffice ? 12 : 0, () =>
            office.call(pick(users), "submitTransaction", [zeroAddress, 0n, "0x"]),
          ),
        ];
        euro *= 1 + (random() - 0.5) * 0.0004 * Math.sqrt(seconds / 60);
        if (Math.abs(euro / lastEuro - 1) > 0.003 || time + seconds >= updated + day) {
          [lastEuro, updated] = [euro, time];
          sendings.push(source.call(deployer, "transmit", [BigInt(Math.round(euro * 1e8))]));
        }
        if (time > quiet + 11 * hour) {
          quiet = time;
          sendings.push(usdc.call(pick(users), "transfer", [rare.address, 1_000n * usd]));
        }
        return sendings;
      },
      attack: [],
    };
  },
};
