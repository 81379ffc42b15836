import { type Hex, keccak256, toHex, toRlp } from "viem";
import type { SimTransaction } from "./contents.ts";

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
  const digest = (text: string) => keccak256(toHex(text));
  const header = {
    parentHash: parent?.hash ?? zeroWord,
    sha3Uncles: "0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347" as Hex,
    miner: `0x${"11".repeat(20)}` as Hex,
    stateRoot: digest(`state ${time}`),
    transactionsRoot: digest(transactions.map(({ hash }) => hash).join()),
    receiptsRoot: digest(transactions.map(({ hash, is_success }) => `${hash} ${is_success}`).join()),
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
    for (const value of [address.toLowerCase() as Hex, ...topics]) {
      const hash = BigInt(keccak256(value));
      for (const pair of [240n, 224n, 208n]) bloom |= 1n << ((hash >> pair) & 2047n);
    }
  }
  return toHex(bloom, { size: 256 });
}
