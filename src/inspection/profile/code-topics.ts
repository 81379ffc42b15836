import type { Hex } from "../../chains/block.ts";

const push1 = 0x60;
const push32 = 0x7f;
const maxTopics = 300;

/**
 * Returns the 32-byte constants of runtime bytecode. The topics of the events that it emits are among them, which shows events
 * of contracts without published source.
 */
export function topicsInCode(codes: readonly Hex[]): Hex[] {
  const topics = new Set<Hex>();
  for (const code of codes) for (const constant of constantsOf(code)) topics.add(constant);
  return [...topics].slice(0, maxTopics);
}

function* constantsOf(code: Hex): Generator<Hex> {
  const bytes = Buffer.from(code.slice(2), "hex");
  for (let index = 0; index < bytes.length; index++) {
    const operation = bytes[index] ?? 0;
    if (operation < push1 || operation > push32) continue;
    const length = operation - push1 + 1;
    const end = index + 1 + length;
    if (operation === push32 && end <= bytes.length && isHashLike(bytes.subarray(index + 1, end)))
      yield `0x${bytes.toString("hex", index + 1, end)}`;
    index += length;
  }
}

/** A hash has no long run of equal bytes at its ends, as masks and small numbers have. */
function isHashLike(word: Buffer): boolean {
  return new Set(word.subarray(0, 6)).size > 2 && new Set(word.subarray(-6)).size > 2;
}
