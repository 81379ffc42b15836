import { encodeFunctionData, type Hex } from "viem";
import type { Call } from "../evm/machine.ts";
import { addresses, attacker, deployer, proxyAdmin, treasury, users } from "./accounts.ts";
import { call } from "./calls.ts";
import { eth, usd } from "./opening.ts";

/** An incident lasts some blocks. `calls` returns what happens in one of them, counted from 0. */
export type Incident = {
  name: IncidentName;
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
    blocks: 31,
    calls: (step) => (step === 0 ? [upgrade(lendingNext)] : step === 30 ? [upgrade(lendingCode)] : []),
  },
  large_transfer: {
    blocks: 31,
    calls: (step) =>
      step === 0
        ? [call(treasury, dollar, "DemoToken", "transfer", [attacker, usd(15_000_000)])]
        : step === 30
          ? [call(attacker, dollar, "DemoToken", "transfer", [treasury, usd(15_000_000)])]
          : [],
  },
  mint_spike: {
    blocks: 3,
    calls: () => [call(deployer, dollar, "DemoToken", "mint", [treasury, usd(10_000_000)])],
  },
  ownership_transfer: {
    blocks: 31,
    calls: (step) =>
      step === 0
        ? [call(deployer, bridge, "DemoBridge", "transferOwnership", [attacker])]
        : step === 30
          ? [call(attacker, bridge, "DemoBridge", "transferOwnership", [deployer])]
          : [],
  },
  oracle_stall: { blocks: 140, isKeeperSilent: true, calls: () => [] },
  pool_drain: {
    blocks: 31,
    calls: (step) =>
      step === 0
        ? [call(treasury, pair, "DemoPair", "remove", [eth(4_000), usd(7_000_000)])]
        : step === 30
          ? [call(treasury, pair, "DemoPair", "add", [eth(4_000), usd(7_000_000)])]
          : [],
  },
  revert_storm: {
    blocks: 10,
    // Nobody gets that much for a dollar.
    calls: () =>
      users.slice(0, 8).map((user) => call(user, pair, "DemoPair", "sell", [false, usd(1), eth(1)])),
  },
  bridge_outflow: {
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
    data: encodeFunctionData({
      abi: upgradeAbi,
      functionName: "upgradeAndCall",
      args: [lending, code, "0x"],
    }),
  };
}

const upgradeAbi = [
  {
    type: "function",
    name: "upgradeAndCall",
    stateMutability: "payable",
    inputs: [
      { name: "proxy", type: "address" },
      { name: "implementation", type: "address" },
      { name: "data", type: "bytes" },
    ],
    outputs: [],
  },
] as const;
