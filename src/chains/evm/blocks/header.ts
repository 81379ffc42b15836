import type { Hex, Transaction } from "../../block.ts";
import type { BlockRef } from "../../reader.ts";
import { EndpointFailure } from "../../rpc/failure.ts";
import { checksumAddress } from "../values/checksum-address.ts";
import {
  type Raw,
  readBigInt,
  readBytes,
  readList,
  readNumber,
  readObject,
  readWord,
} from "../values/raw.ts";
import type { Check, CheckedBlock } from "./tolerance.ts";

/** A block header with its transactions, without logs. */
export type Header = {
  height: number;
  hash: Hex;
  parent_hash: Hex;
  time: number;
  logs_bloom: string;
  transactions: Transaction[];
  raw: Raw;
};

/** Reads a block reference. A pending block has no hash and is rejected. */
export function readBlockRef(value: unknown): BlockRef & { hash: Hex; parent_hash: Hex } {
  const raw = readObject(value, "shape");
  return {
    height: readNumber(raw.number, "number"),
    hash: readWord(raw.hash, "hash"),
    parent_hash: readWord(raw.parentHash, "parent hash"),
    time: readNumber(raw.timestamp, "time"),
  };
}

/** Accepts data that fails a check; bound to the endpoint that returned it. */
export type Tolerates = (check: Check, block: CheckedBlock, claim: unknown) => boolean;

/** Reads a block and verifies that its transactions belong to it. */
export function readHeader(value: unknown, height: number, tolerates: Tolerates): Header {
  const ref = readBlockRef(value);
  const raw = value as Raw;
  if (ref.height !== height)
    throw new EndpointFailure("inconsistent", "returned another block than requested");
  const list = readList(raw.transactions, "list of transactions");
  const transactions = list.map((transaction, index) => readTransaction(transaction, index, ref));
  const hasUsedGas = typeof raw.gasUsed === "string" && !/^0x0*$/.test(raw.gasUsed);
  if (
    transactions.length === 0 &&
    hasUsedGas &&
    raw.transactionsRoot !== emptyRoot &&
    !tolerates("gas_without_transactions", ref, raw.gasUsed)
  ) {
    throw new EndpointFailure("inconsistent", "returned a block that used gas but has no transactions");
  }
  return { ...ref, logs_bloom: readBytes(raw.logsBloom ?? "0x", "bloom"), transactions, raw };
}

/** The root of a block without transactions. */
const emptyRoot = "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421";

function readTransaction(value: unknown, index: number, block: BlockRef): Transaction {
  const raw = readObject(value, "transaction");
  if (
    (raw.blockHash !== block.hash && readWord(raw.blockHash, "transaction") !== block.hash) ||
    readNumber(raw.transactionIndex, "transaction") !== index
  ) {
    throw new EndpointFailure("inconsistent", "returned a block with transactions of another block");
  }
  const price = raw.gasPrice ?? raw.maxFeePerGas;
  return {
    hash: readWord(raw.hash, "transaction hash"),
    index,
    from: checksumAddress(raw.from, "sender"),
    to: raw.to === null || raw.to === undefined ? null : checksumAddress(raw.to, "recipient"),
    value: readBigInt(raw.value, "value"),
    input: readBytes(raw.input ?? raw.data, "input"),
    nonce: readNumber(raw.nonce, "nonce"),
    gas_limit: readBigInt(raw.gas, "gas limit"),
    gas_price: price === undefined || price === null ? null : readBigInt(price, "gas price"),
    receipt: null,
  };
}
