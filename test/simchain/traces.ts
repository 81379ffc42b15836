import { type Hex, toFunctionSelector, toHex } from "viem";
import type { InternalCall } from "../../src/chains/block.ts";
import { contracts, type SimTransaction } from "./contents.ts";
import { mixSeed, type SeededRandom, seededRandom } from "./random.ts";
import type { SimBlock } from "./tree.ts";

/** A call frame of a trace. */
type Frame = {
  type: string;
  from: string;
  to: string;
  input: Hex;
  value?: Hex;
  error?: string;
  calls?: Frame[];
};

/** The function that contracts call on each other. */
export const calledFunction = "touch(bytes32 note)";
const selector = toFunctionSelector(calledFunction);

/** The traces of a block. They depend only on its transactions, so they are the same on every branch. */
export function jsonTraces(block: SimBlock): { txHash: Hex; result: Frame }[] {
  return block.transactions.map((transaction) => ({
    txHash: transaction.hash,
    result: traceOf(transaction),
  }));
}

/** The internal calls that a reader must return for a block, in order. */
export function plainCalls(block: Pick<SimBlock, "transactions">): InternalCall[] {
  return block.transactions.flatMap((transaction, tx_index) => {
    const plain = ({ from, to, input, value = "0x0", error }: Frame): InternalCall => ({
      tx_hash: transaction.hash,
      tx_index,
      ...{ from, to, input, value: BigInt(value), is_success: error === undefined },
    });
    const within = (frame: Frame): Frame[] =>
      (frame.calls ?? []).flatMap((inner) => [inner, ...within(inner)]);
    return within(traceOf(transaction))
      .filter(({ type }) => type === "CALL" || type === "STATICCALL")
      .map(plain);
  });
}

function traceOf({ hash, from, to, input, is_success }: SimTransaction): Frame {
  const random = seededRandom(mixSeed(1, hash));
  const top = {
    type: "CALL",
    from,
    to: to ?? from,
    input,
    ...(!is_success && { error: "execution reverted" }),
  };
  const isContract = contracts.some((contract) => contract === to);
  return to && isContract ? { ...top, calls: makeCalls(random, to, 3) } : top;
}

function makeCalls(random: SeededRandom, from: string, depth: number): Frame[] {
  return Array.from({ length: depth > 0 ? random.below(3) : 0 }, (): Frame => {
    const to = random.pick(contracts);
    const type = random.pick(["CALL", "CALL", "STATICCALL", "DELEGATECALL", "CREATE"]);
    return {
      ...{ type, from, to, input: `${selector}${random.word().slice(2)}` as Hex },
      ...(type === "CALL" && { value: toHex(random.below(1000)) }),
      ...(random.chance(0.2) && { error: "execution reverted" }),
      calls: makeCalls(random, type === "DELEGATECALL" ? from : to, depth - 1),
    };
  });
}
