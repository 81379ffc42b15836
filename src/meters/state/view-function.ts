import { concat } from "viem";
import { z } from "zod";
import type { AbiIndex } from "../../chains/evm/abi/abi.ts";
import { type AbiField, compileFields } from "../../chains/evm/abi/abi-type.ts";
import { decimalsNumber } from "../config-fields.ts";
import { signatureText } from "../config-filters.ts";
import { defineMeter } from "../meter.ts";
import { readingOrProblem, returnedValues, UnreadableState } from "../state-results.ts";
import { encodeArguments } from "./arguments.ts";
import { measureReturnValue } from "./return-value.ts";
import { parseViewSignature, viewOf } from "./view-signature.ts";

/** What a function of the contract returns. */
export const viewFunction = defineMeter({
  type: "view_function",
  title: "Value of a function",
  about:
    "A value that a function of the contract returns. A value that is no number measures 1 when it changed and 0 otherwise.",
  unit: "units",
  families: ["evm"],
  instances: "many",
  config: z
    .strictObject({
      signature: signatureText(parseViewSignature).describe(
        "The function and what it returns, such as balanceOf(address) returns (uint256)",
      ),
      args: z.array(z.unknown()).max(16).default([]).describe("What it is called with; integers as text"),
      output_index: z.int().min(0).max(63).default(0).describe("Which of the returned values, from 0"),
      decimals: decimalsNumber.default(0).describe("Places after the point that the number has"),
    })
    .superRefine(({ signature, args, output_index }, context) => {
      const item = viewOf(signature)?.item;
      if (!item) return;
      const encoded = encodeArguments(item.inputs, args);
      if (!encoded.ok) context.addIssue({ code: "custom", path: ["args"], message: encoded.problem });
      if (item.outputs.length > 0 && output_index >= item.outputs.length) {
        const message = `The function returns ${item.outputs.length} values, counted from 0.`;
        context.addIssue({ code: "custom", path: ["output_index"], message });
      }
    }),
  needs: ["state"],
  aggregation: "last",

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
        throw new UnreadableState(`${name}() returns fewer values than output_index says.`);
      return measureReturnValue(returned, decimals, previous);
    });
  },
});

/** What the signature says it returns, or else the contract's ABI, or else one number. */
function outputsOf(signature: string, abi: AbiIndex | undefined): AbiField[] {
  const view = viewOf(signature);
  const known = (abi?.functions.get(view?.selector ?? "") ?? []).flatMap(({ item }) =>
    item.type === "function" ? [item.outputs] : [],
  );
  const outputs = [view?.item.outputs ?? [], ...known].find((list) => list.length > 0);
  return compileFields(outputs ?? [{ name: "", type: "uint256" }]);
}
