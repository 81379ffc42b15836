import { checksumAddress } from "viem";
import { misshapen } from "./raw.ts";

/** Turns what a node calls an address into its EIP-55 spelling. The same few addresses come up again and again. */
export function spellAddress(value: unknown, what: string): string {
  if (typeof value !== "string") throw misshapen(what);
  const known = newer.get(value) ?? older.get(value);
  if (known === undefined) return spell(value, what);
  if (!newer.has(value)) keep(value, known);
  return known;
}

// Two generations: when the newer is full it becomes the older, whose rarely used addresses are let go.
const mostInGeneration = 20_000;
let newer = new Map<string, string>();
let older = new Map<string, string>();

function spell(value: string, what: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(value)) throw misshapen(what);
  const spelled = checksumAddress(value.toLowerCase() as `0x${string}`);
  keep(value, spelled);
  return spelled;
}

function keep(value: string, spelled: string): void {
  if (newer.size >= mostInGeneration) {
    older = newer;
    newer = new Map();
  }
  newer.set(value, spelled);
}
