import type { ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { ChainError } from "../../chains/reader.ts";
import { readCall } from "../../meters/state-results.ts";
import { addressesIn, addressIn, integerIn } from "../classify/call-results.ts";

type BaseController = { address: string } & (
  | { kind: "eoa" }
  | { kind: "safe"; threshold: number; owners: string[] }
  | { kind: "timelock"; delay_seconds: number }
  | { kind: "contract"; owner: null }
);

/** The account or contract behind a privileged address. A contract includes its owner, as for a ProxyAdmin. */
export type Controller = BaseController | { address: string; kind: "contract"; owner: BaseController | null };

const functions = [
  "getThreshold() view returns (uint256)",
  "getOwners() view returns (address[])",
  "getMinDelay() view returns (uint256)",
  "delay() view returns (uint256)",
  "owner() view returns (address)",
] as const;
const [getThreshold, getOwners, getMinDelay, delay, ownerFunction] = functions;
const maxOwners = 100;

/** Identifies a privileged address. For a contract, also identifies its direct owner. */
export async function inspectController(pinned: PinnedBlock, address: string): Promise<Controller> {
  const { controller, owner } = await readController(pinned, address);
  if (controller.kind !== "contract" || !owner) return controller;
  return { ...controller, owner: (await readController(pinned, owner)).controller };
}

async function readController(
  pinned: PinnedBlock,
  address: string,
): Promise<{ controller: BaseController; owner?: string | undefined }> {
  const [code, ...results] = await pinned.read([
    { kind: "code", address },
    ...functions.map((declaration) => readCall(address, declaration)),
  ]);
  if (!code?.ok) throw new ChainError(`The code at ${address} could not be read.`);
  // The key of an account with an EIP-7702 delegation keeps full control.
  if (code.data === "0x" || /^0xef0100/i.test(code.data)) return { controller: { kind: "eoa", address } };
  return { controller: classifyContract(address, results), owner: addressIn(results[4], ownerFunction) };
}

function classifyContract(
  address: string,
  [threshold, owners, minDelay, otherDelay]: ReadResult[],
): BaseController {
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
