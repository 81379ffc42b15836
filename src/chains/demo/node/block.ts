import { RLP } from "@ethereumjs/rlp";
import type { Hex } from "../../block.ts";
import { bytesOf, toHex } from "../../evm/values/hex.ts";
import { keccak, keccak256 } from "../../evm/values/keccak.ts";
import type { Call, Execution, Log } from "../evm/machine.ts";

export type DemoTransaction = {
  hash: Hex;
  from: Hex;
  to: Hex | null;
  value: bigint;
  input: Hex;
  nonce: number;
  gasUsed: bigint;
  isSuccess: boolean;
  logs: Log[];
  created: Hex | null;
};

/** A block with its header in JSON-RPC format. */
export type DemoBlock = {
  height: number;
  hash: Hex;
  time: number;
  header: Record<string, Hex>;
  transactions: DemoTransaction[];
};

const zeroWord: Hex = `0x${"0".repeat(64)}`;
const noUncles: Hex = "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347";
const blockGas = 30_000_000n;

export function makeTransaction(call: Call, nonce: number, done: Execution, at: string): DemoTransaction {
  const { from, to, data, value = 0n } = call;
  return {
    hash: keccak256(RLP.encode([Buffer.from(at), from, to ?? "0x", toHex(nonce), data])),
    ...{ from, to, value, input: data, nonce },
    ...{ gasUsed: done.gasUsed, isSuccess: done.isSuccess, logs: done.logs, created: done.created },
  };
}

/** Makes the next block; its hash is the Ethereum hash of its header. */
export function makeBlock(
  parent: DemoBlock | undefined,
  { time, branch }: { time: number; branch: number },
  transactions: DemoTransaction[],
): DemoBlock {
  const height = parent ? parent.height + 1 : 0;
  const digest = (text: string) => keccak256(Buffer.from(text));
  const contents = transactions
    .map(({ hash, isSuccess, gasUsed }) => `${hash} ${isSuccess} ${gasUsed}`)
    .join();
  const header: Record<string, Hex> = {
    parentHash: parent?.hash ?? zeroWord,
    sha3Uncles: noUncles,
    miner: `0x${"0".repeat(40)}`,
    stateRoot: digest(`${parent?.hash} ${contents}`),
    transactionsRoot: digest(transactions.map(({ hash }) => hash).join()),
    receiptsRoot: digest(contents),
    logsBloom: bloomOf(transactions.flatMap(({ logs }) => logs)),
    difficulty: "0x0",
    number: toHex(height),
    gasLimit: toHex(blockGas),
    gasUsed: toHex(transactions.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)),
    timestamp: toHex(time),
    // A block that replaces another one differs from it, also without transactions.
    extraData: branch === 0 ? "0x" : `0x${branch.toString(16).padStart(2, "0")}`,
    mixHash: zeroWord,
    nonce: "0x0000000000000000",
    baseFeePerGas: "0x7",
  };
  const hash = keccak256(RLP.encode(Object.entries(header).map(([name, value]) => rlpField(name, value))));
  return { height, hash, time, header, transactions };
}

const quantities = new Set(["difficulty", "number", "gasLimit", "gasUsed", "timestamp", "baseFeePerGas"]);

/** Numbers are written without leading zeros, zero as nothing. */
function rlpField(name: string, value: Hex): Hex {
  if (!quantities.has(name)) return value;
  if (BigInt(value) === 0n) return "0x";
  return value.length % 2 === 0 ? value : `0x0${value.slice(2)}`;
}

const emptyBloom = toHex(new Uint8Array(256));

/** The filter of addresses and topics, by which a reader knows what a block may contain. */
export function bloomOf(logs: readonly Log[]): Hex {
  if (logs.length === 0) return emptyBloom;
  const bits = new Uint8Array(256);
  for (const { address, topics } of logs) {
    for (const value of [address, ...topics]) {
      const hash = keccak(bytesOf(value));
      for (const at of [0, 2, 4]) {
        const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047;
        bits[255 - (bit >> 3)] = (bits[255 - (bit >> 3)] ?? 0) | (1 << (bit & 7));
      }
    }
  }
  return toHex(bits);
}
