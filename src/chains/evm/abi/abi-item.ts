import { z } from "zod";
import { AbiProblem } from "../../decoding/abi-problem.ts";

/** A parameter of an entry, or a field of a tuple. */
export type AbiParameter = {
  name?: string;
  type: string;
  components?: readonly AbiParameter[];
  /** True for a parameter of an event that is in a topic. */
  indexed?: boolean;
};

export type AbiEvent = {
  type: "event";
  name: string;
  inputs: readonly AbiParameter[];
  anonymous?: boolean;
};

export type AbiFunction = {
  type: "function";
  name: string;
  inputs: readonly AbiParameter[];
  outputs: readonly AbiParameter[];
  stateMutability: "pure" | "view" | "nonpayable" | "payable";
};

export type AbiError = { type: "error"; name: string; inputs: readonly AbiParameter[] };

/** The ABI entries that can be decoded. */
export type AbiItem = AbiEvent | AbiFunction | AbiError;

const maxInputs = 64;
const maxTupleDepth = 8;
export const maxParameters = 20_000;
/** Tuple fields included. One entry is compiled in one step, which must not take long. */
export const maxEntryParameters = 1_000;

/** The remaining number of parameters and array dimensions, which limits the memory that one ABI needs when it is compiled. */
export type Budget = { parameters: number };

const itemShape = z.object({
  type: z.enum(["function", "event", "error", "constructor", "fallback", "receive"]).default("function"),
  name: z.string().max(256).optional(),
  inputs: z.array(z.unknown()).max(maxInputs).default([]),
  outputs: z.array(z.unknown()).max(maxInputs).nullish(),
  stateMutability: z.enum(["pure", "view", "nonpayable", "payable"]).optional(),
  constant: z.boolean().optional(),
  payable: z.boolean().optional(),
  anonymous: z.boolean().optional(),
});

const parameterShape = z.object({
  name: z.string().max(256).nullish(),
  type: z.string().max(256),
  indexed: z.boolean().nullish(),
  components: z.array(z.unknown()).max(maxInputs).nullish(),
});

/** Validates one entry and reduces it to what decoding needs. Undefined for a constructor, fallback or receive entry. */
export function readItem(raw: unknown, budget: Budget): AbiItem | undefined {
  const item = check(itemShape, raw);
  if (item.type === "constructor" || item.type === "fallback" || item.type === "receive") return undefined;
  const { type, name } = item;
  if (name === undefined || !/^[A-Za-z_$][\w$]*$/.test(name)) {
    throw new AbiProblem(`The name of a ${type} may contain only letters, digits, _ and $.`);
  }
  const inputs = readParameters(item.inputs, budget);
  if (type === "error") return { type, name, inputs };
  if (type === "event") return { type, name, inputs, ...(item.anonymous && { anonymous: true }) };
  const outputs = readParameters(item.outputs ?? [], budget);
  return { type, name, inputs, outputs, stateMutability: mutabilityOf(item) };
}

function readParameters(raw: unknown[], budget: Budget, depth = 0): AbiParameter[] {
  if (depth > maxTupleDepth) throw new AbiProblem(`Tuples nest at most ${maxTupleDepth} deep.`);
  spend(budget, raw.length);
  return raw.map((rawParameter, position): AbiParameter => {
    const { name, type, indexed, components } = check(
      parameterShape,
      rawParameter,
      `parameter ${position}: `,
    );
    spend(budget, dimensionsOf(type));
    const parameter = { name: name ?? "", type: withoutAlias(type), ...(indexed && { indexed }) };
    if (!type.startsWith("tuple")) return parameter;
    if (!components) throw new AbiProblem(`Parameter ${position} is a tuple without components.`);
    return { ...parameter, components: readParameters(components, budget, depth + 1) };
  });
}

function spend(budget: Budget, count: number): void {
  budget.parameters -= count;
  if (budget.parameters < 0)
    throw new AbiProblem(
      `An entry may have at most ${maxEntryParameters} parameters and array dimensions, and all entries together ${maxParameters}.`,
    );
}

function dimensionsOf(type: string): number {
  return type.split("[").length - 1;
}

/** Signatures are hashed with the canonical names of types. */
function withoutAlias(type: string): string {
  return type.replace(/^(u?int)(?=\[|$)/, "$1256").replace(/^byte(?=\[|$)/, "bytes1");
}

/** ABIs from before Solidity 0.5 have two flags instead of `stateMutability`. */
function mutabilityOf(item: z.infer<typeof itemShape>): AbiFunction["stateMutability"] {
  if (item.stateMutability) return item.stateMutability;
  return item.constant ? "view" : item.payable ? "payable" : "nonpayable";
}

function check<T>(shape: z.ZodType<T>, raw: unknown, where = ""): T {
  const result = shape.safeParse(raw);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw new AbiProblem(`${where}${path}${issue?.message ?? "malformed"}.`);
}
