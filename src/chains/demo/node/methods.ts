import { createAddressFromString, hexToBytes, setLengthLeft } from "@ethereumjs/util";
import type { Hex } from "../../block.ts";
import { demo } from "../../definitions/testnets/demo.ts";
import { toHex } from "../../evm/values/hex.ts";
import { gasPrice } from "../evm/machine.ts";
import { accountKey, codeKey, slotKey } from "../evm/state-view.ts";
import type { AccountValue } from "../evm/world-state.ts";
import { type IncidentName, incidentNames } from "../story/incidents.ts";
import type { DemoBlock } from "./block.ts";
import type { DemoChain } from "./chain.ts";
import { jsonBlock, jsonReceipts, jsonTransaction } from "./json.ts";
import { findLogs } from "./logs.ts";

/** An error with the code of JSON-RPC. */
export class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type Host = { chain: DemoChain; request(incident: IncidentName, delayBlocks: number): void };
type Method = (host: Host, params: unknown[]) => unknown;

const zero: Hex = `0x${"0".repeat(40)}`;

/** What the chain answers. */
export const methods: Record<string, Method> = {
  web3_clientVersion: () => "tocsin-demo/1",
  net_version: () => String(demo.chain_id),
  eth_chainId: () => toHex(demo.chain_id),
  eth_syncing: () => false,
  eth_gasPrice: () => toHex(gasPrice),
  eth_blockNumber: ({ chain }) => toHex(chain.head.height),
  eth_getBlockByNumber: ({ chain }, [tag, isFull]) => {
    const block = findBlock(chain, tag);
    return block ? jsonBlock(block, isFull === true) : null;
  },
  eth_getBlockByHash: ({ chain }, [hash, isFull]) => {
    const block = chain.withHash(String(hash).toLowerCase() as Hex);
    return block ? jsonBlock(block, isFull === true) : null;
  },
  eth_getBlockReceipts: ({ chain }, [which]) => {
    const block = findBlock(chain, which);
    return block ? jsonReceipts(block) : null;
  },
  eth_getTransactionByHash: ({ chain }, [hash]) => {
    const located = findTransaction(chain, hash);
    return located ? jsonTransaction(located.block, located.transaction, located.index) : null;
  },
  eth_getTransactionReceipt: ({ chain }, [hash]) => {
    const located = findTransaction(chain, hash);
    return located ? jsonReceipts(located.block)[located.index] : null;
  },
  eth_getLogs: ({ chain }, [filter]) => findLogs(chain, filter, (which) => requireBlock(chain, which)),
  eth_call: async ({ chain }, [given, which]) => {
    const { from = zero, to, data, input, value } = (given ?? {}) as Record<string, Hex | undefined>;
    const block = requireBlock(chain, which);
    const call = { from, to: to ?? null, data: data ?? input ?? "0x", value: BigInt(value ?? 0) };
    const { isSuccess, output } = await chain.call(call, block);
    if (!isSuccess) throw new RpcFailure(3, "execution reverted", output);
    return output;
  },
  eth_getBalance: ({ chain }, [address, which]) => toHex(accountOf(chain, address, which)?.balance ?? 0n),
  eth_getTransactionCount: ({ chain }, [address, which]) =>
    toHex(accountOf(chain, address, which)?.nonce ?? 0n),
  eth_getCode: ({ chain }, [address, which]) =>
    hexOf(chain.read(codeKey(addressOf(address)), requireBlock(chain, which).height)),
  eth_getStorageAt: ({ chain }, [address, slot, which]) => {
    const key = slotKey(addressOf(address), setLengthLeft(hexToBytes(evenHex(slot)), 32));
    const value = chain.read(key, requireBlock(chain, which).height);
    return `0x${hexOf(value).slice(2).padStart(64, "0")}`;
  },
  demo_incidentsAround: ({ chain }, [height]) =>
    Number.isSafeInteger(height) ? chain.incidentsAround(Number(height)) : [],
  /** Asks for an incident in the next block, or some blocks later. */
  demo_requestIncident: ({ request }, [name, delay]) => {
    const wanted = incidentNames.find((incidentName) => incidentName === name);
    if (!wanted) throw new RpcFailure(-32602, `There is no incident ${String(name)}.`);
    request(wanted, Number.isSafeInteger(delay) ? Math.min(Math.max(Number(delay), 0), 100) : 0);
    return true;
  },
};

function accountOf(chain: DemoChain, address: unknown, which: unknown): AccountValue | undefined {
  const key = accountKey(addressOf(address));
  return chain.read(key, requireBlock(chain, which).height) as AccountValue | undefined;
}

function addressOf(value: unknown) {
  if (typeof value !== "string" || !/^0x[0-9a-f]{40}$/i.test(value))
    throw new RpcFailure(-32602, `${String(value)} is not an address.`);
  return createAddressFromString(value);
}

function evenHex(value: unknown): Hex {
  const digits = String(value).replace(/^0x/, "");
  if (!/^[0-9a-f]{1,64}$/i.test(digits)) throw new RpcFailure(-32602, `${String(value)} is not a slot.`);
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`;
}

function hexOf(value: unknown): Hex {
  return value instanceof Uint8Array ? toHex(value) : "0x";
}

function requireBlock(chain: DemoChain, which: unknown): DemoBlock {
  const block = findBlock(chain, which ?? "latest");
  if (!block) throw new RpcFailure(-32000, "header not found");
  return block;
}

/** Finds a block by tag, height, hash or an object with one of them (EIP-1898). */
function findBlock(chain: DemoChain, which: unknown): DemoBlock | undefined {
  if (typeof which === "object" && which !== null) {
    const { blockHash, blockNumber } = which as Record<string, unknown>;
    return findBlock(chain, blockHash ?? blockNumber);
  }
  const { height } = chain.head;
  if (which === "latest" || which === "pending") return chain.head;
  if (which === "safe") return chain.at(Math.max(height - 4, 0));
  if (which === "finalized") return chain.at(Math.max(height - demo.finality_depth, 0));
  if (which === "earliest") return chain.between(0, height)[0];
  if (typeof which !== "string" || !/^0x[0-9a-f]+$/i.test(which)) return undefined;
  return which.length === 66 ? chain.withHash(which.toLowerCase() as Hex) : chain.at(Number(which));
}

function findTransaction(chain: DemoChain, hash: unknown) {
  return chain.findTransaction(String(hash).toLowerCase() as Hex);
}
