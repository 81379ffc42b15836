import type { ReadResult } from "../chains/block.ts";
import type { Moment } from "../chains/questions.ts";
import { ChainError } from "../chains/reader.ts";
import { readCall } from "../meters/reads.ts";
import { addressesIn, addressIn, integerIn } from "./answers.ts";

/** Who stands behind an address that has power over something. */
export type Holder = { address: string } & (
  | { kind: "eoa" }
  | { kind: "safe"; threshold: number; owners: string[] }
  | { kind: "timelock"; delay_seconds: number }
  /** Any other contract, and who owns it, as with the admin contract of a proxy. */
  | { kind: "contract"; owner: Holder | null }
);

const functions = [
  "getThreshold() view returns (uint256)",
  "getOwners() view returns (address[])",
  "getMinDelay() view returns (uint256)",
  "delay() view returns (uint256)",
  "owner() view returns (address)",
] as const;
const [getThreshold, getOwners, getMinDelay, delay, owner] = functions;
const mostOwners = 100;

/** Looks who an address is. Behind another contract its owner is looked at too, one step far. */
export async function lookAtHolder(moment: Moment, address: string, steps = 1): Promise<Holder> {
  const [code, ...results] = await moment.read([
    { kind: "code", address },
    ...functions.map((declaration) => readCall(address, declaration)),
  ]);
  if (!code?.ok) throw new ChainError(`The code at ${address} could not be read.`);
  // An account that lets a contract act for it still has a key that can do everything.
  if (code.data === "0x" || /^0xef0100/i.test(code.data)) return { kind: "eoa", address };
  return contractHolder(moment, address, results, steps);
}

async function contractHolder(
  moment: Moment,
  address: string,
  [threshold, owners, minDelay, otherDelay, ownerResult]: ReadResult[],
  steps: number,
): Promise<Holder> {
  const [needed, signers] = [integerIn(threshold, getThreshold), addressesIn(owners, getOwners)];
  if (needed !== undefined && signers.length > 0 && needed <= BigInt(signers.length)) {
    return { kind: "safe", address, threshold: Number(needed), owners: signers.slice(0, mostOwners) };
  }
  const seconds = integerIn(minDelay, getMinDelay) ?? integerIn(otherDelay, delay);
  if (seconds !== undefined && seconds <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return { kind: "timelock", address, delay_seconds: Number(seconds) };
  }
  const behind = addressIn(ownerResult, owner);
  if (!behind || steps === 0) return { kind: "contract", address, owner: null };
  return { kind: "contract", address, owner: await lookAtHolder(moment, behind, steps - 1) };
}
