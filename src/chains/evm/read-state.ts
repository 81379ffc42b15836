import type { Hex, Read, ReadResult } from "../block.ts";
import type { Chain } from "../chain.ts";
import { ChainError } from "../reader.ts";
import { readMark } from "./header.ts";
import { readAlone } from "./read-alone.ts";
import { readTogether } from "./read-together.ts";
import { EndpointFailure, RpcError } from "./rpc/failure.ts";
import type { Rpc } from "./rpc/rpc.ts";
import type { Session } from "./rpc/session.ts";

/** Reads that are asked for at one block, and those that have come to something. */
export type Reading = {
  reads: readonly Read[];
  /** By place; absent while open. */
  results: Map<number, ReadResult>;
  at: { height: number; hash: string };
  /** How often a read met an error that may be the endpoint's or its own. */
  errors: Map<number, number>;
};

/** Reads state at one block: together through Multicall3 where there is one, and by itself what is left. */
export function makeReadState(rpc: Rpc, chain: Chain) {
  const together = readTogether(chain.multicall3);
  const readFrom = async (session: Session, reading: Reading) => {
    await together(session, reading);
    await readAlone(session, reading);
  };
  return async (
    reads: readonly Read[],
    at: { height: number; hash: string },
    prefer: number | undefined,
  ): Promise<ReadResult[]> => {
    if (reads.length === 0) return [];
    const reading: Reading = { reads, results: new Map(), errors: new Map(), at };
    const work = async (session: Session) => {
      const own = { ...reading, results: new Map(reading.results) };
      const failure = await readFrom(session, own).catch((error: unknown) => error);
      if (session.lacks(byHash)) await ensureBranch(session, at);
      for (const [place, result] of own.results) reading.results.set(place, result);
      if (failure) throw failure;
    };
    await rpc.use(work, { prefer }).catch((error: unknown) => {
      if (error instanceof RpcError)
        throw new ChainError("The endpoints do not understand how state is asked for.");
      throw error;
    });
    return reads.map((_, place) => reading.results.get(place) as ReadResult);
  };
}

export function openPlaces({ reads, results }: Reading): number[] {
  return [...reads.keys()].filter((place) => !results.has(place));
}

const byHash = "state by block hash";

/** The block as a parameter: by its hash, so that it is of the right branch, or by height where a node knows no better. */
export function blockParameter(session: Session, at: Reading["at"]): unknown {
  return session.lacks(byHash) ? `0x${at.height.toString(16)}` : { blockHash: at.hash };
}

/** Whether an answer shows that the endpoint takes no block by its hash, which is then remembered. */
export function learnsNoHash(session: Session, failure: unknown): boolean {
  const isMisunderstood =
    failure instanceof RpcError &&
    (failure.code === -32602 || failure.code === -32600 || notAnObject.test(failure.message));
  if (!isMisunderstood || session.lacks(byHash)) return false;
  session.noteLack(byHash);
  return true;
}

/** By height alone, state may be of another branch; then the block at that height has another hash. */
async function ensureBranch(session: Session, at: Reading["at"]): Promise<void> {
  const params = [`0x${at.height.toString(16)}`, false];
  const block = await session.request("eth_getBlockByNumber", params, { mustExist: true });
  if (readMark(block).hash !== at.hash) throw new EndpointFailure("missing", "follows another branch");
}

const notAnObject = /cannot unmarshal object|invalid argument 1|block ?hash|invalid block/i;

/** As bytes of a whole word, which is what a contract would return. */
export function asWord(quantity: string): Hex {
  return `0x${quantity.slice(2).padStart(64, "0").toLowerCase()}`;
}
