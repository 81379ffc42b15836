import type { Hex } from "../../block.ts";
import { contractAddress } from "../../evm/values/address.ts";
import { keccakOfText } from "../../evm/values/keccak.ts";

/** The accounts of the story. Nobody has their keys: the chain accepts their transactions without signatures. */
const account = (name: string): Hex => `0x${keccakOfText(`tocsin demo ${name}`).slice(26)}`;

/** Has the keys of everything that is not behind the timelock. */
export const deployer = account("deployer");
/** Updates the price feed. */
export const keeper = account("keeper");
export const attacker = account("attacker");
/** Has enough of everything. */
export const treasury = account("treasury");
export const users = Array.from({ length: 16 }, (_, index) => account(`user ${index}`));
export const safeOwners = [0, 1, 2].map((index) => account(`safe owner ${index}`)) as [Hex, Hex, Hex];

/** The contracts in the order in which they are deployed, which gives them their addresses. */
const deployed = [
  "usd",
  "eth",
  "feed",
  "pair",
  "vault",
  "bridge",
  "safeCode",
  "safe",
  "timelock",
  "lendingCode",
  "lendingNext",
  "lending",
] as const;

export const addresses = Object.fromEntries(
  deployed.map((name, nonce) => [name, contractAddress(deployer, BigInt(nonce)).toLowerCase() as Hex]),
) as Record<(typeof deployed)[number], Hex>;

/** The admin of the proxy, which the proxy creates as its first contract. */
export const proxyAdmin = contractAddress(addresses.lending, 1n).toLowerCase() as Hex;
