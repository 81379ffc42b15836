import { getAddress, type Hex, keccak256, pad, toHex } from "viem";
import type { SeededRandom } from "./random.ts";

/** A transaction before it is included in a block, with the logs that it emits on success. */
export type SimTransaction = {
  hash: Hex;
  from: string;
  to: string | null;
  value: bigint;
  input: Hex;
  nonce: number;
  gas_limit: bigint;
  gas_price: bigint;
  gas_used: bigint;
  is_success: boolean;
  logs: SimLog[];
};

export type SimLog = { address: string; topics: Hex[]; data: Hex };

/** The contracts of the simulated chain. */
export const contracts = [1, 2, 3, 4].map((n) => getAddress(pad(toHex(0xc0de00 + n), { size: 20 })));
const accounts = [1, 2, 3, 4, 5, 6].map((n) => getAddress(pad(toHex(0xbeef00 + n), { size: 20 })));

export const topics = {
  transfer: keccak256(toHex("Transfer(address,address,uint256)")),
  upgraded: keccak256(toHex("Upgraded(address)")),
  paused: keccak256(toHex("Paused(address)")),
  unpaused: keccak256(toHex("Unpaused(address)")),
  noted: keccak256(toHex("Noted(bytes32)")),
};

/** Makes a number of successful transactions with a total number of logs. */
export function makeBusyBlock(random: SeededRandom, transactions: number, logs: number): SimTransaction[] {
  const perTransaction = (index: number) =>
    Math.floor(((index + 1) * logs) / transactions) - Math.floor((index * logs) / transactions);
  return Array.from({ length: transactions }, (_, index) => ({
    ...makeTransaction(random),
    is_success: true,
    logs: Array.from({ length: perTransaction(index) }, () => makeLog(random)),
  }));
}

/** The token in which fees are paid on chains where fees are logs. */
const feeToken = getAddress(pad(toHex(0xfee), { size: 20 }));

/** Makes a random transaction with a unique hash. With `feesOfFailed`, one that fails has a log of its fee. */
export function makeTransaction(
  random: SeededRandom,
  { feesOfFailed = false }: { feesOfFailed?: boolean | undefined } = {},
): SimTransaction {
  const to = random.chance(0.1) ? random.pick(accounts) : random.pick(contracts);
  const isSuccess = random.chance(feesOfFailed ? 0.5 : 0.85);
  const hasLogs = isSuccess && contracts.includes(to);
  const failedLogs: SimLog[] =
    feesOfFailed && !isSuccess
      ? [{ address: feeToken, topics: [topics.noted, random.word()], data: "0x" }]
      : [];
  return {
    hash: random.word(),
    from: random.pick(accounts),
    to: random.chance(0.03) ? null : to,
    value: random.chance(0.5) ? BigInt(random.below(1_000_000)) * 10n ** 12n : 0n,
    input: random.chance(0.5) ? "0x" : `0xa9059cbb${random.word().slice(2)}`,
    nonce: random.below(1000),
    gas_limit: 21_000n + BigInt(random.below(500_000)),
    gas_price: BigInt(1 + random.below(1e9)),
    gas_used: 21_000n,
    is_success: isSuccess,
    logs: hasLogs ? Array.from({ length: random.below(4) }, () => makeLog(random)) : failedLogs,
  };
}

function makeLog(random: SeededRandom): SimLog {
  const address = random.pick(contracts);
  const person = () => pad(random.pick(accounts).toLowerCase() as Hex, { size: 32 });
  const kind = random.below(5);
  if (kind === 0)
    return { address, topics: [topics.upgraded, pad(toHex(random.below(1e6)), { size: 32 })], data: "0x" };
  if (kind === 1) return { address, topics: [random.pick([topics.paused, topics.unpaused])], data: person() };
  // A unique topic makes this log visible in the bloom filter of the header.
  if (kind === 2) return { address, topics: [topics.noted, random.word()], data: "0x" };
  const amount = pad(toHex(random.below(1e9)), { size: 32 });
  return { address, topics: [topics.transfer, person(), person()], data: amount };
}
