import { runAtOnce, type Steps } from "../../../lib/concurrency/steps.ts";
import { workerTask } from "../../../lib/concurrency/worker-pool.ts";
import type { Hex } from "../../block.ts";
import { type Read, readOrProblem } from "../../decoding/abi-problem.ts";
import { type AbiEntry, type AbiIndex, abiSteps } from "./abi.ts";
import type { AbiItem } from "./abi-item.ts";
import { type AbiField, compileFields } from "./abi-type.ts";

/**
 * A checked ABI as a thread returns it: the keys of its entries, and each entry as text. To copy compiled entries would block the
 * event loop longer than to compile them.
 */
export type PackedAbi = Record<keyof AbiIndex, PackedEntry[]>;

type PackedEntry = Pick<AbiEntry, "key" | "signature" | "indexed"> & { itemJson: string };

/** Checks and packs an untrusted ABI. */
export function packAbi(input: unknown): Read<{ packed: PackedAbi }> {
  return readOrProblem(() => ({ packed: runAtOnce(packAbiSteps(input)) }));
}

export const packAbiTask = workerTask("src/chains/evm/abi/packed-abi.ts", packAbi, 3_000);

/** The same in steps; throws an AbiProblem. */
export function* packAbiSteps(input: unknown): Steps<PackedAbi> {
  const { events, functions, errors } = yield* abiSteps(input);
  yield;
  return { events: pack(events), functions: pack(functions), errors: pack(errors) };
}

function pack(entries: AbiIndex[keyof AbiIndex]): PackedEntry[] {
  return [...entries.values()].flat().map(({ key, signature, indexed, item }) => {
    return { key, signature, indexed, itemJson: JSON.stringify(item) };
  });
}

export function unpackAbi({ events, functions, errors }: PackedAbi): AbiIndex {
  return { events: unpack(events), functions: unpack(functions), errors: unpack(errors) };
}

function unpack(packed: readonly PackedEntry[]): AbiIndex[keyof AbiIndex] {
  return Map.groupBy(
    packed.map((packedEntry) => new LazyEntry(packedEntry)),
    ({ key }): string => key,
  );
}

/** Compiled at its first use, because most entries of an ABI are never used. */
class LazyEntry implements AbiEntry {
  readonly key: Hex;
  readonly signature: string;
  readonly indexed: boolean[];
  #itemJson: string;
  #item: AbiItem | undefined;
  #fields: AbiField[] | undefined;

  constructor({ key, signature, indexed, itemJson }: PackedEntry) {
    this.key = key;
    this.signature = signature;
    this.indexed = indexed;
    this.#itemJson = itemJson;
  }

  get item(): AbiItem {
    this.#item ??= JSON.parse(this.#itemJson) as AbiItem;
    this.#itemJson = "";
    return this.#item;
  }

  get fields(): AbiField[] {
    this.#fields ??= compileFields(this.item.inputs);
    return this.#fields;
  }
}
