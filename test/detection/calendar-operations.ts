import { keccak256, toHex } from "viem";
import type { Sending } from "./chain.ts";
import type { Incident, Moment } from "./scene.ts";

const [ether, usd] = [10n ** 18n, 10n ** 6n];
const [hour, day] = [3_600, 86_400];

/**
 * What the calendar brings: functions that users need once in a while, an epoch that ends, a root that is published every few
 * days, a collection after its mint, an exchange that pays out half of its wallet by day, and salaries at the end of the month.
 */
export const calendarOperations: Incident = {
  name: "Operations by the calendar without an attack",
  covers: ["G13"],
  async setUp({ chain, users, deployer, coin, fund }) {
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const hub = await chain.deploy("PositionHub", usdc.address);
    const vault = await chain.deploy("EpochVault", usdc.address);
    const roots = await chain.deploy("RootDistributor", usdc.address);
    const collection = await chain.deploy("MintedCollection");
    const rewards = await chain.deploy("StakingRewards", usdc.address, usdc.address);
    const payroll = await chain.deploy("CompanyWallet", users.slice(0, 4), 2n);
    const exchange = await chain.account(500n * ether);
    await fund(usdc, 5_000_000n * usd, hub, vault, rewards);
    await chain.run(
      hub.call(deployer, "open", [3_000_000n * usd]),
      vault.call(deployer, "deposit", [4_000_000n * usd, deployer]),
      usdc.call(deployer, "transfer", [roots.address, 900_000n * usd]),
      usdc.call(deployer, "transfer", [rewards.address, 900_000n * usd]),
      usdc.call(deployer, "transfer", [payroll.address, 2_000_000n * usd]),
      usdc.call(deployer, "transfer", [exchange, 6_000_000n * usd]),
      rewards.call(deployer, "notifyRewardAmount", [70_000n * usd]),
      ...users.map((user) => rewards.call(user, "stake", [50_000n * usd])),
      ...users.map((user) => collection.call(user, "mint", [20n], ether / 5n)),
    );
    const began = chain.now();
    const calendar = makeCalendar();
    let isEpochOver = true;
    return {
      watched: {
        ...{ hub: hub.address, vault: vault.address, roots: roots.address, collection: collection.address },
        ...{ rewards: rewards.address, payroll: payroll.address, exchange },
      },
      traffic(moment) {
        const { time, times, pick, amount } = moment;
        const several = (perDay: number, make: () => Sending) => Array.from({ length: times(perDay) }, make);
        const sendings = [
          ...several(60, () => hub.call(pick(users), "open", [amount(900n * usd)])),
          ...several(60, () => hub.call(pick(users), "close", [1n, amount(900n * usd)])),
          // Each of nine things is done on two days of three.
          ...several(6, () => hub.call(pick(users), "once", [BigInt(Math.floor(moment.random() * 9))])),
          ...several(40, () => vault.call(pick(users), "deposit", [amount(900n * usd), pick(users)])),
          ...several(60, () => roots.call(pick(users), "claim", [amount(20n * usd)])),
          ...several(20, () => rewards.call(pick(users), "getReward")),
          ...several(10, () => rewards.call(pick(users), "stake", [amount(90n * usd)])),
          ...several(30, () => collection.call(pick(users), "setApprovalForAll", [pick(users), true])),
          ...exchangePayments(moment, { usdc, exchange, users, deployer }),
        ];
        // An epoch ends twice a day, so that a day has one, and the next starts an hour later.
        if (calendar.isDue("epoch", time - began, 12 * hour)) {
          const size = 1_000_000n * usd;
          sendings.push(
            vault.call(deployer, isEpochOver ? "startEpoch" : "endEpoch", isEpochOver ? [size] : []),
          );
          isEpochOver = !isEpochOver;
        }
        if (calendar.isDue("root", time - began, 22 * hour))
          sendings.push(roots.call(deployer, "publishRoot", [keccak256(toHex(`root ${time}`))]));
        if (calendar.isDue("rewards", time - began, 20 * hour))
          sendings.push(rewards.call(deployer, "notifyRewardAmount", [80_000n * usd]));
        if (calendar.isDue("reveal", time - began, 26 * hour))
          sendings.push(collection.call(deployer, "reveal"));
        if (calendar.isDue("proceeds", time - began, 30 * hour))
          sendings.push(collection.call(deployer, "withdrawProceeds", [deployer]));
        if (calendar.isDue("salaries", time - began, 28 * hour))
          sendings.push(
            ...users.slice(0, 3).map((user) => payroll.call(user, "submitTransaction", [user, 0n, "0x"])),
          );
        return sendings;
      },
      attack: [],
    };
  },
};

/** Tells when the next time of a kind has come. */
function makeCalendar() {
  const last = new Map<string, number>();
  return {
    isDue(kind: string, elapsed: number, every: number): boolean {
      const count = Math.floor(elapsed / every);
      if (count <= (last.get(kind) ?? 0)) return false;
      last.set(kind, count);
      return true;
    },
  };
}

type Exchange = {
  usdc: { call(from: `0x${string}`, name: string, args: readonly unknown[]): Sending };
  exchange: `0x${string}`;
  users: readonly `0x${string}`[];
  deployer: `0x${string}`;
};

/** Customers withdraw by day, and the cold wallet refills the hot one at night. */
function exchangePayments(
  { time, times, pick, amount }: Moment,
  { usdc, exchange, users, deployer }: Exchange,
) {
  const sendings = Array.from({ length: times(150) }, () =>
    usdc.call(exchange, "transfer", [pick(users), amount(17_000n * usd)]),
  );
  if (time % day < 240) sendings.push(usdc.call(deployer, "transfer", [exchange, 4_000_000n * usd]));
  return sendings;
}
