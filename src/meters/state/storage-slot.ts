import { z } from "zod";
import type { Hex } from "../../chains/block.ts";
import { toHex } from "../../chains/evm/values/hex.ts";
import { changeOf } from "../change.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { addressInWord, readingOrProblem, wordOf } from "../state-results.ts";
import { changeText } from "../words.ts";

/** Measures one storage slot of the contract. */
export const storageSlot = defineMeter({
  type: "storage_slot",
  title: "Storage slot",
  example: { slot: 0, as: "address" },
  about:
    "The value of one storage slot of the contract. For uint, the number in it; for address and bytes32, 1 if it changed, else 0.",
  unit: "value",
  families: ["evm"],
  needsCode: true,
  instances: "many",
  config: z.strictObject({
    slot: z
      .union([z.string().max(80), z.int().min(0)])
      .refine(
        (slot) => slotOf(slot) !== undefined,
        "A slot is a number, or 0x followed by up to 64 hexadecimal digits.",
      )
      .describe("The slot number, in decimal or as 0x…"),
    as: z.enum(["uint", "address", "bytes32"]).default("uint").describe("The type of the stored value"),
  }),
  needs: ["state"],
  aggregation: "last",
  isSetting: true,

  reads({ slot }, { address }) {
    return [{ kind: "storage", address, slot: slotOf(slot) ?? toHex(0, { size: 32 }) }];
  },

  interpret({ slot, as }, [result], _subject, { previous }) {
    return readingOrProblem(() => {
      const word = wordOf(result, `The slot ${slot}`);
      const raw = toHex(word, { size: 32 });
      const { value, evidence } = changeOf(raw, previous);
      const shown = { ...evidence, slot: slotOf(slot) };
      if (as === "uint") return { value: Number(word), evidence: { ...shown, number: word } };
      return { value, evidence: as === "address" ? { ...shown, address: addressInWord(word) } : shown };
    });
  },

  describe({ slot, as }, occasion) {
    const { reading, words } = occasion;
    const { state, previous_state } = reading?.evidence ?? {};
    if (as === "uint") return `slot ${slot} ${movementText(occasion)}`;
    const [before, after] = [previous_state, state].map((word) =>
      as === "address" ? addressIn(word) : word,
    );
    return `slot ${slot} changed: ${changeText(before, after, words)}`;
  },
});

/** The address in a stored word; unknown ones stay as they are. */
function addressIn(word: unknown): unknown {
  return typeof word === "string" && /^0x[0-9a-f]{64}$/i.test(word) ? addressInWord(BigInt(word)) : word;
}

function slotOf(slot: string | number): Hex | undefined {
  const text = String(slot);
  if (!/^(\d+|0x[0-9a-f]{1,64})$/i.test(text)) return undefined;
  const number = BigInt(text);
  return number < 2n ** 256n ? toHex(number, { size: 32 }) : undefined;
}
