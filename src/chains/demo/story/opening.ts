import type { Hex } from "../../block.ts";
import type { Call } from "../evm/machine.ts";
import { addresses, deployer, keeper, safeOwners, treasury, users } from "./accounts.ts";
import { call, callData, create } from "./calls.ts";

const maxUint256 = 2n ** 256n - 1n;

export const usd = (amount: number) => BigInt(Math.round(amount * 100)) * 10_000n;
export const eth = (amount: number) => BigInt(Math.round(amount * 1_000)) * 10n ** 15n;
export const firstPrice = 2_000;

/** The transactions of the first block: they deploy everything and give everyone what they need. */
export function opening(): Call[] {
  return [...deployments(), ...endowments(), ...liquidity()];
}

function deployments(): Call[] {
  const { usd, eth, feed, safeCode, safe, lendingCode } = addresses;
  const setup = callData("DemoSafe", "setup", [safeOwners, 2n]);
  const initialize = callData("DemoLending", "initialize", [usd, eth, feed]);
  const constructors: [string, unknown[]][] = [
    ["DemoToken", ["Demo Dollar", "dUSD", 6]],
    ["DemoToken", ["Demo Ether", "dETH", 18]],
    ["DemoFeed", ["ETH / USD", keeper]],
    ["DemoPair", [eth, usd]],
    ["DemoVault", [usd]],
    ["DemoBridge", [usd]],
    ["DemoSafe", []],
    ["DemoSafeProxy", [safeCode, setup]],
    ["DemoTimelock", [172_800n, [safe]]],
    ["DemoLending", []],
    ["DemoLendingNext", []],
    ["DemoProxy", [lendingCode, deployer, initialize]],
  ];
  return constructors.map(([name, args]) => create(deployer, name, args));
}

function endowments(): Call[] {
  const spenders: Hex[] = [addresses.pair, addresses.vault, addresses.bridge, addresses.lending];
  const owners = [treasury, ...users];
  return [
    call(keeper, addresses.feed, "DemoFeed", "update", [BigInt(firstPrice) * 10n ** 8n]),
    ...owners.flatMap((to) => [
      call(deployer, addresses.usd, "DemoToken", "mint", [
        to,
        to === treasury ? usd(80_000_000) : usd(500_000),
      ]),
      call(deployer, addresses.eth, "DemoToken", "mint", [to, to === treasury ? eth(40_000) : eth(250)]),
      ...spenders.map((spender) => call(to, addresses.usd, "DemoToken", "approve", [spender, maxUint256])),
      call(to, addresses.eth, "DemoToken", "approve", [addresses.pair, maxUint256]),
    ]),
  ];
}

function liquidity(): Call[] {
  const { pair, lending, vault, bridge } = addresses;
  return [
    call(treasury, pair, "DemoPair", "add", [eth(5_000), usd(5_000 * firstPrice)]),
    call(treasury, lending, "DemoLending", "supply", [usd(8_000_000)]),
    call(treasury, lending, "DemoLending", "borrow", [usd(3_000_000)]),
    call(treasury, vault, "DemoVault", "deposit", [usd(4_000_000), treasury]),
    call(treasury, bridge, "DemoBridge", "lock", [usd(6_000_000)]),
  ];
}
