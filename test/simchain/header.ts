import { LRUCache } from "lru-cache";
import { type Hex, keccak256, toHex, toRlp } from "viem";
import type { SimTransaction } from "./contents.ts";
import { digestOf } from "./digest.ts";

/** The header of a simulated block with JSON-RPC field names. Its hash is the Ethereum hash. */
export type SimHeader = Record<string, Hex> & {
  hash: Hex;
  parentHash: Hex;
  number: Hex;
  timestamp: Hex;
  logsBloom: Hex;
};

const zeroWord: Hex = `0x${"0".repeat(64)}`;

export function makeHeader(
  parent: { hash: Hex; height: number } | undefined,
  time: number,
  transactions: readonly SimTransaction[],
  otherGas = 0n,
): SimHeader {
  const header = {
    parentHash: parent?.hash ?? zeroWord,
    sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347" as Hex,
    miner: `0x${"11".repeat(20)}` as Hex,
    stateRoot: digestOf(`state ${time}`),
    transactionsRoot: digestOf(transactions.map(({ hash }) => hash).join()),
    receiptsRoot: digestOf(transactions.map(({ hash, is_success }) => `${hash} ${is_success}`).join()),
    logsBloom: bloomOf(transactions),
    difficulty: "0x0" as Hex,
    number: toHex(parent ? parent.height + 1 : 0),
    gasLimit: "0x1c9c380" as Hex,
    gasUsed: toHex(transactions.reduce((sum, { gas_used }) => sum + gas_used, otherGas)),
    timestamp: toHex(time),
    extraData: "0x" as Hex,
    mixHash: zeroWord,
    nonce: "0x0000000000000000" as Hex,
    baseFeePerGas: "0x7" as Hex,
  };
  return {
    ...header,
    hash: keccak256(toRlp(Object.entries(header).map(([name, value]) => rlpField(name, value)))),
  };
}

const numbers = new Set(["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "baseFeePerGas"]);

function rlpField(name: string, value: Hex): Hex {
  if (!numbers.has(name)) return value;
  return BigInt(value) === 0n ? "0x" : toHex(BigInt(value), { size: Math.ceil((value.length - 2) / 2) });
}

/** A second implementation, so that the tests do not share a bug with the source. */
export function bloomOf(transactions: readonly Pick<SimTransaction, "logs">[]): Hex {
  let bloom = 0n;
  for (const { address, topics } of transactions.flatMap(({ logs }) => logs)) {
    for (const value of [address.toLowerCase() as Hex, ...topics]) bloom |= bitsOf(value);
  }
  return toHex(bloom, { size: 256 });
}

const computedBits = new LRUCache<Hex, bigint>({ max: 1000 });

function bitsOf(value: Hex): bigint {
  const computed = computedBits.get(value);
  if (computed !== undefined) return computed;
  const hash = BigInt(keccak256(value));
  const bits = [240n, 224n, 208n].reduce((sum, pair) => sum | (1n << ((hash >> pair) & 2047n)), 0n);
  computedBits.set(value, bits);
  return bits;
}
