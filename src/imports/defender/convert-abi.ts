import { compileAbi } from "../../chains/evm/abi/abi.ts";
import type { Warning } from "./monitor.ts";

/** A readable ABI, or a warning why it was omitted. */
type ConvertedAbi = { abi?: unknown; warnings: Warning[] };

/** Limits the total size: every contract stores its own copy, and thousands of addresses may share one ABI. */
const maxAbiCharacters = 50_000_000;

/** Returns a function that parses ABIs, given as text or JSON, each once; an unusable one is omitted with a warning. */
export function makeAbiConverter(): (abi: unknown) => ConvertedAbi {
  const cache = new Map<unknown, ConvertedAbi & { length: number }>();
  let remaining = maxAbiCharacters;
  return (abi) => {
    if (abi === undefined || abi === null || abi === "") return { warnings: [] };
    const converted = cache.get(abi) ?? readOnce(abi);
    cache.set(abi, converted);
    remaining -= converted.length;
    return remaining >= 0 || converted.length === 0
      ? converted
      : {
          warnings: [
            {
              code: "invalid_abi",
              message: "The ABI is too large for this number of addresses and was omitted.",
            },
          ],
        };
  };
}

function readOnce(abi: unknown): ConvertedAbi & { length: number } {
  const value = typeof abi === "string" ? parse(abi) : abi;
  if (value !== undefined && compileAbi(value).ok)
    return { abi: value, warnings: [], length: JSON.stringify(value).length };
  const message = "The ABI of the monitor is invalid and was omitted.";
  return { warnings: [{ code: "invalid_abi", message }], length: 0 };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
