import { z } from "zod";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { type AbiField, compileFields } from "../../chains/evm/abi/abi-type.ts";
import { concat } from "../../chains/evm/values/hex.ts";
import { decimalsNumber } from "../config-fields.ts";
import { signatureText } from "../config-filters.ts";
import { movementText } from "../measured-text.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, returnedValues, UnreadableState } from "../state-results.ts";
import { nameIn, numberText, stateText } from "../words.ts";
import { encodeArguments } from "./arguments.ts";
import { measureReturnValue } from "./return-value.ts";
import { parseViewSignature, viewOf } from "./view-signature.ts";

/** Measures a return value of a view function. */
export const viewFunction = defineMeter({
  type: "view_function",
  title: "Value of a function",
  example: { signature: "totalAssets() view returns (uint256)", decimals: 18 },
  about:
    "A return value of a view function of the contract: a number scaled by its decimals, a boolean as 0 or 1. For any other type the reading is 1 if the value changed, otherwise 0.",
  unit: "units",
  families: ["evm"],
  needsCode: true,
  instances: "many",
  config: z
    .strictObject({
      signature: signatureText(parseViewSignature).describe(
        "The function with its return types, such as balanceOf(address) returns (uint256)",
      ),
      args: z
        .array(z.unknown())
        .max(16)
        .default([])
        .describe("The arguments of the call; integers as strings"),
      output_index: z.int().min(0).max(63).default(0).describe("The index of the return value, from 0"),
      decimals: decimalsNumber.default(0).describe("The number of decimals by which the value is scaled"),
    })
    .superRefine(({ signature, args, output_index }, context) => {
      const item = viewOf(signature)?.item;
      if (!item) return;
      const encoded = encodeArguments(item.inputs, args);
      if (!encoded.ok) context.addIssue({ code: "custom", path: ["args"], message: encoded.problem });
      if (item.outputs.length > 0 && output_index >= item.outputs.length) {
        const message = `output_index must be less than ${item.outputs.length}, the number of return values.`;
        context.addIssue({ code: "custom", path: ["output_index"], message });
      }
    }),
  needs: ["state"],
  aggregation: "last",
  isSetting: true,

  reads({ signature, args }, { address }) {
    const view = viewOf(signature);
    const encoded = view && encodeArguments(view.item.inputs, args);
    if (!view || !encoded?.ok) return [];
    return [{ kind: "call", to: address, data: concat([view.selector, encoded.data]) }];
  },

  interpret({ signature, output_index, decimals }, [result], { abi }, { previous }) {
    return readingOrProblem(() => {
      const name = viewOf(signature)?.item.name ?? signature;
      const returned = returnedValues(result, name, outputsOf(signature, abi))[output_index];
      if (returned === undefined)
        throw new UnreadableState(`${name}() returned fewer values than output_index requires.`);
      return measureReturnValue(returned, decimals, previous);
    });
  },

  describe({ signature }, occasion) {
    const { reading, previous, value, words } = occasion;
    const { state, previous_state, returned } = reading?.evidence ?? {};
    const name = `${nameIn(signature)}()`;
    if (typeof returned === "boolean" && value === reading?.value) {
      const isChange = previous !== undefined && previous.value !== value;
      return isChange ? `${name} changed: ${!returned} → ${returned}` : `${name} returned ${returned}`;
    }
    // The evidence of a number has its state too, unscaled: only the value has its decimals.
    if (returned !== undefined || typeof state !== "string")
      return `${name} ${movementText(occasion, numberText, "returned")}`;
    return previous_state === undefined
      ? `${name} returned ${stateText(state, words)}`
      : `${name} changed: ${stateText(previous_state, words)} → ${stateText(state, words)}`;
  },
});

/** Returns the outputs in the signature, else those in the contract's ABI, else one uint256. */
function outputsOf(signature: string, abi: AbiIndex | undefined): AbiField[] {
  const view = viewOf(signature);
  const candidates = (abi?.functions.get(view?.selector ?? "") ?? []).flatMap(({ item }) =>
    item.type === "function" ? [item.outputs] : [],
  );
  const outputs = [view?.item.outputs ?? [], ...candidates].find((list) => list.length > 0);
  return compileFields(outputs ?? [{ name: "", type: "uint256" }]);
}
