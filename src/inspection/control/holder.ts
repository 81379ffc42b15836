import type { ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";
import { readCall } from "../../meters/state-results.ts";
import { addressesIn, addressIn, integerIn } from "../classify/call-results.ts";

type Plain = { address: string } & (
  | { kind: "eoa" }
  | { kind: "safe"; threshold: number; owners: string[] }
  | { kind: "timelock"; delay_seconds: number }
  | { kind: "contract"; owner: null }
);

/** Who stands behind an address that has power over something; of a contract, also who owns it, as with a proxy's admin. */
export type Holder = Plain | { address: string; kind: "contract"; owner: Plain | null };

const functions = [
  "getThreshold() view returns (uint256)",
  "getOwners() view returns (address[])",
  "getMinDelay() view returns (uint256)",
  "delay() view returns (uint256)",
  "owner() view returns (address)",
] as const;
const [getThreshold, getOwners, getMinDelay, delay, ownerFunction] = functions;
const maxOwners = 100;

/** Looks who an address is. Behind another contract its owner is looked at too, one step far. */
export async function inspectHolder(moment: PinnedBlock, address: string): Promise<Holder> {
  const { holder, owner } = await lookAt(moment, address);
  if (holder.kind !== "contract" || !owner) return holder;
  return { ...holder, owner: (await lookAt(moment, owner)).holder };
}

async function lookAt(
  moment: PinnedBlock,
  address: string,
): Promise<{ holder: Plain; owner?: string | undefined }> {
  const [code, ...results] = await moment.read([
    { kind: "code", address },
    ...functions.map((declaration) => readCall(address, declaration)),
  ]);
  if (!code?.ok) throw new ChainError(`The code at ${address} could not be read.`);
  // An account that lets a contract act for it still has a key that can do everything.
  if (code.data === "0x" || /^0xef0100/i.test(code.data)) return { holder: { kind: "eoa", address } };
  return { holder: contractHolder(address, results), owner: addressIn(results[4], ownerFunction) };
}

function contractHolder(address: string, [threshold, owners, minDelay, otherDelay]: ReadResult[]): Plain {
  const [needed, signers] = [integerIn(threshold, getThreshold), addressesIn(owners, getOwners)];
  if (needed !== undefined && signers.length > 0 && needed <= BigInt(signers.length)) {
    return { kind: "safe", address, threshold: Number(needed), owners: signers.slice(0, maxOwners) };
  }
  const seconds = integerIn(minDelay, getMinDelay) ?? integerIn(otherDelay, delay);
  if (seconds !== undefined && seconds <= BigInt(Number.MAX_SAFE_INTEGER)) {
    return { kind: "timelock", address, delay_seconds: Number(seconds) };
  }
  return { kind: "contract", address, owner: null };
}
