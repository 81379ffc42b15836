import type { ReadState } from "../../chains/family.ts";
import { ChainError, type ChainReader } from "../../chains/reader.ts";

export type BlockPosition = { height: number; hash: string; time: number };

/** Makes a reader of state at a block that returns nothing when the chain cannot be read now. */
export function readOrNothing(reader: ChainReader, position: BlockPosition): ReadState {
  return (reads) =>
    reader.read(reads, position).catch((error: unknown) => {
      if (error instanceof ChainError) return [];
      throw error;
    });
}
