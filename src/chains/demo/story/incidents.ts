import type { Hex } from "../../block.ts";
import type { AbiFunction } from "../../evm/abi/abi-item.ts";
import type { Call } from "../evm/machine.ts";
import { addresses, attacker, deployer, proxyAdmin, treasury, users } from "./accounts.ts";
import { call, encodeCall } from "./calls.ts";
import { eth, usd } from "./opening.ts";

/** An incident lasts some blocks. `calls` returns what happens in one of them, counted from 0. */
export type Incident = {
  name: IncidentName;
  /** What happens, in a few words and in a paragraph for the page of an alert. */
  title: string;
  text: string;
  blocks: number;
  /** While it lasts, the keeper writes no price. */
  isKeeperSilent?: true;
  calls(step: number): Call[];
};

export const incidentNames = [
  "upgrade",
  "large_transfer",
  "mint_spike",
  "ownership_transfer",
  "oracle_stall",
  "pool_drain",
  "revert_storm",
  "bridge_outflow",
] as const;
export type IncidentName = (typeof incidentNames)[number];

const { usd: dollar, pair, bridge, lending, lendingCode, lendingNext } = addresses;

/** Each incident ends as it began, so that it can happen again. */
const incidents: Record<IncidentName, Omit<Incident, "name">> = {
  upgrade: {
    title: "The lending pool is upgraded by a single key",
    text: "The owner of the proxy replaces the code of the lending pool at once. A timelock was meant to own the proxy, so that depositors have time to leave. A minute later the old code is back. On a real chain, ask who holds that key and compare the new code before the pool is used again.",
    blocks: 31,
    calls: (step) => (step === 0 ? [upgrade(lendingNext)] : step === 30 ? [upgrade(lendingCode)] : []),
  },
  large_transfer: {
    title: "15 million demo dollars leave the treasury",
    text: "The treasury sends 15 million demo dollars to an address that it has never paid before. A minute later they come back. On a real chain, ask the owners of the treasury whether they signed it, and pause what can be paused if they did not.",
    blocks: 31,
    calls: (step) =>
      step === 0
        ? [call(treasury, dollar, "DemoToken", "transfer", [attacker, usd(15_000_000)])]
        : step === 30
          ? [call(attacker, dollar, "DemoToken", "transfer", [treasury, usd(15_000_000)])]
          : [],
  },
  mint_spike: {
    title: "30 million demo dollars appear from nothing",
    text: "The deployer mints 10 million demo dollars in each of three blocks. Nothing was deposited for them. On a real chain, a stolen minter key looks like this: revoke it, and warn the pools in which the new tokens can be sold.",
    blocks: 3,
    calls: () => [call(deployer, dollar, "DemoToken", "mint", [treasury, usd(10_000_000)])],
  },
  ownership_transfer: {
    title: "The bridge gets a new owner",
    text: "The owner of the bridge hands it to an unknown address, which may now release what is locked. A minute later the ownership returns. On a real chain, this is the last moment before the funds move: pause the bridge if another key still can.",
    blocks: 31,
    calls: (step) =>
      step === 0
        ? [call(deployer, bridge, "DemoBridge", "transferOwnership", [attacker])]
        : step === 30
          ? [call(attacker, bridge, "DemoBridge", "transferOwnership", [deployer])]
          : [],
  },
  oracle_stall: {
    title: "The price feed stops",
    text: "The keeper writes no price for almost five minutes, so the feed shows an old one. Who borrows now borrows at an old price. On a real chain, look at the wallet of the keeper first: most of them simply run out of gas.",
    blocks: 140,
    isKeeperSilent: true,
    calls: () => [],
  },
  pool_drain: {
    title: "The pool loses most of its liquidity",
    text: "One address removes 4,000 ether and 7 million demo dollars from the pool in one transaction. A minute later it adds them again. On a real chain, trades in what is left move the price a lot, and every feed that follows this pool moves with it.",
    blocks: 31,
    calls: (step) =>
      step === 0
        ? [call(treasury, pair, "DemoPair", "remove", [eth(4_000), usd(7_000_000)])]
        : step === 30
          ? [call(treasury, pair, "DemoPair", "add", [eth(4_000), usd(7_000_000)])]
          : [],
  },
  revert_storm: {
    title: "Trades fail one after another",
    text: "Eight users try to sell in every block for twenty seconds, and every trade reverts because it asks for too much. On a real chain, a bot with a wrong setting or an attack that does not work yet looks like this.",
    blocks: 10,
    // Nobody gets that much for a dollar.
    calls: () =>
      users.slice(0, 8).map((user) => call(user, pair, "DemoPair", "sell", [false, usd(1), eth(1)])),
  },
  bridge_outflow: {
    title: "The bridge releases 4.5 million without a deposit",
    text: "The bridge pays out 4.5 million demo dollars that were not locked on the other side. A minute later they are locked again. On a real chain, a forged message or a stolen validator key looks like this: pause the bridge, then count.",
    blocks: 31,
    calls: (step) =>
      step === 0
        ? [call(deployer, bridge, "DemoBridge", "release", [treasury, usd(4_500_000)])]
        : step === 30
          ? [call(treasury, bridge, "DemoBridge", "lock", [usd(4_500_000)])]
          : [],
  },
};

export function incidentOf(name: IncidentName): Incident {
  return { name, ...incidents[name] };
}

/** The key of the proxy's admin acts at once, although a timelock was meant to own it. */
function upgrade(code: Hex): Call {
  return {
    from: deployer,
    to: proxyAdmin,
    data: encodeCall(upgradeAndCall, [lending, code, "0x"]),
  };
}

const upgradeAndCall: AbiFunction = {
  type: "function",
  name: "upgradeAndCall",
  stateMutability: "payable",
  inputs: [
    { name: "proxy", type: "address" },
    { name: "implementation", type: "address" },
    { name: "data", type: "bytes" },
  ],
  outputs: [],
};
