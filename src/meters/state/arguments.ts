import type { Hex } from "../../chains/block.ts";
import { AbiProblem, type Read, readOrProblem } from "../../chains/decoding/abi-problem.ts";
import type { AbiParameter } from "../../chains/evm/abi/abi-item.ts";
import { compileFields } from "../../chains/evm/abi/abi-type.ts";
import { encodeValues } from "../../chains/evm/abi/encode.ts";
import { parseAddress } from "../../chains/evm/values/address.ts";

const maxBytes = 4096;

/** Encodes arguments given as JSON: integers as text or number, bytes as hex, tuples as lists or objects. */
export function encodeArguments(
  inputs: readonly AbiParameter[],
  args: readonly unknown[],
): Read<{ data: Hex }> {
  return readOrProblem(() => {
    if (inputs.length !== args.length) {
      throw new AbiProblem(`The function takes ${inputs.length} arguments, but ${args.length} were given.`);
    }
    const values = inputs.map((input, position) => coerce(input, args[position]));
    const data = encodeValues(compileFields(inputs), values);
    if (data.length > 2 + 2 * maxBytes)
      throw new AbiProblem(`The encoded arguments exceed ${maxBytes} bytes.`);
    return { data };
  });
}

function coerce(parameter: AbiParameter, value: unknown): unknown {
  const { type } = parameter;
  const element = /^(.*)\[\d*\]$/.exec(type)?.[1];
  if (element !== undefined) return coerceList({ ...parameter, type: element }, value);
  if (type === "tuple") return coerceTuple(parameter.components ?? [], value);
  if (/^u?int/.test(type)) return toInteger(value, type);
  if (type === "address") return toAddress(value);
  if (type.startsWith("bytes")) return toBytes(value, type);
  if (typeof value === (type === "bool" ? "boolean" : "string")) return value;
  throw typeProblem(value, type);
}

function coerceList(element: AbiParameter, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw typeProblem(value, "list");
  return value.map((one) => coerce(element, one));
}

function coerceTuple(components: readonly AbiParameter[], value: unknown): unknown {
  if (typeof value !== "object" || value === null) throw typeProblem(value, "tuple");
  const parts = components.map(({ name = "" }, position): unknown =>
    Array.isArray(value)
      ? value[position]
      : Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
  );
  const values = components.map((component, position) => coerce(component, parts[position]));
  return components.some(({ name }) => !name)
    ? values
    : Object.fromEntries(components.map(({ name }, position) => [name, values[position]]));
}

function toInteger(value: unknown, type: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^(-?\d{1,80}|0x[0-9a-f]{1,64})$/i.test(value)) return BigInt(value);
  throw typeProblem(value, type);
}

function toAddress(value: unknown): string {
  const address = typeof value === "string" ? parseAddress(value) : undefined;
  if (address === undefined) throw typeProblem(value, "address");
  return address;
}

function toBytes(value: unknown, type: string): string {
  if (typeof value === "string" && /^0x([0-9a-f]{2})*$/i.test(value)) return value;
  throw typeProblem(value, type);
}

function typeProblem(value: unknown, what: string): AbiProblem {
  const shown = JSON.stringify(value)?.slice(0, 80) ?? "Nothing";
  return new AbiProblem(`${shown} is not a valid ${what}.`);
}
