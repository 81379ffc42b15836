import { encodeFunctionData } from "viem";
import type { Incident } from "./scene.ts";

const ether = 10n ** 18n;
const usd = 10n ** 6n;
const hour = 3_600;

/**
 * What happens without any attack: a whale enters and leaves, liquidity is moved, a pool is imbalanced for ever, salaries are
 * paid, tokens are minted, a keeper pauses, a feed follows a volatile price, and a contract is never used.
 */
export const ordinaryOperations: Incident = {
  name: "Ordinary operations without an attack",
  covers: ["G13"],
  async setUp({ chain, users, deployer, coin, fund }) {
    const weth = await coin("WETH", 18, 10_000_000);
    const usdc = await coin("USDC", 6, 10_000_000_000);
    const vault = await chain.deploy("ShareVault", usdc.address);
    const pair = await chain.deploy("PairV2", weth.address, usdc.address);
    const stable = await chain.deploy("StablePool", [usdc.address, weth.address]);
    const rewards = await chain.deploy("RoleCoin", "RWD", 100_000_000n * ether);
    const code = await chain.deploy("Safe");
    const setup = encodeFunctionData({ abi: code.abi, functionName: "setup", args: [users.slice(0, 3), 2n] });
    const safe = chain.at((await chain.deploy("SafeProxy", code.address, setup)).address, "Safe");
    const source = await chain.deploy("Aggregator");
    const feed = await chain.deploy("PriceFeed", source.address, "WETH / USD");
    const unused = await chain.deploy("TradingVault");
    const keeper = await chain.account(50n * ether);
    await fund(usdc, 20_000_000n * usd, vault, pair, stable);
    await fund(weth, 5_000n * ether, pair, stable);
    await chain.run(
      vault.call(deployer, "deposit", [10_000_000n * usd, deployer]),
      pair.call(deployer, "add", [2_000n * ether, 5_000_000n * usd]),
      stable.call(deployer, "add", [[9_000_000n * usd, 1_000_000n * ether]]),
      usdc.call(deployer, "transfer", [safe.address, 3_000_000n * usd]),
      ...Array.from({ length: 30 }, (_, at) =>
        source.call(deployer, "push", [2_500n * 10n ** 8n, BigInt(chain.now() - (30 - at) * hour)]),
      ),
    );
    const pay = (to: string) =>
      encodeFunctionData({ abi: usdc.abi, functionName: "transfer", args: [to, 60_000n * usd] });
    const [whale] = users;
    let [price, lastPrice, updated, lastKept] = [2_500, 2_500, 0, 0];
    let [isWhaleIn, isMoved] = [false, false];
    return {
      watched: {
        ...{ vault: vault.address, pair: pair.address, stable: stable.address, rewards: rewards.address },
        ...{ safe: safe.address, feed: feed.address, unused: unused.address, keeper },
      },
      traffic({ time, seconds, times, pick, amount, random }) {
        const sendings = [
          ...Array.from({ length: times(40) }, () =>
            vault.call(pick(users), "deposit", [amount(900n * usd), deployer]),
          ),
          ...Array.from({ length: times(300) }, () => {
            const isFirst = random() < 0.5;
            const atLeast = random() < 0.15 ? 2n ** 100n : 0n;
            return pair.call(pick(users), "swap", [isFirst, amount(isFirst ? ether : 2_500n * usd), atLeast]);
          }),
          ...Array.from({ length: times(1) }, () =>
            rewards.call(deployer, "mint", [deployer, 500_000n * ether]),
          ),
          ...Array.from({ length: times(200) }, () =>
            rewards.call(deployer, "transfer", [pick(users), amount(50n * ether)]),
          ),
          ...Array.from({ length: times(2) }, () =>
            safe.call(pick(users), "execTransaction", [usdc.address, 0n, pay(pick(users)), 0]),
          ),
        ];
        if (whale && times(4) > 0) {
          const call = isWhaleIn ? "withdraw" : "deposit";
          const size = 2_000_000n * usd;
          sendings.push(vault.call(whale, call, isWhaleIn ? [size, whale, whale] : [size, whale]));
          isWhaleIn = !isWhaleIn;
        }
        if (times(3) > 0) {
          sendings.push(
            isMoved
              ? pair.call(deployer, "add", [300n * ether, 750_000n * usd])
              : pair.call(deployer, "remove", [15n * 10n ** 16n]),
          );
          isMoved = !isMoved;
        }
        price *= 1 + (random() - 0.5) * 0.01 * Math.sqrt(seconds / 60);
        if (Math.abs(price / lastPrice - 1) > 0.005 || time + seconds >= updated + hour) {
          [lastPrice, updated] = [price, time];
          sendings.push(source.call(deployer, "transmit", [BigInt(Math.round(price * 1e8))]));
        }
        // The keeper is restarted for two intervals every day.
        const isMaintained = time % 86_400 < 1_200;
        if (!isMaintained && time >= lastKept + 600) {
          lastKept = time;
          sendings.push({ from: keeper, to: pick(users), value: 0n });
        }
        return sendings;
      },
      attack: [],
    };
  },
};
