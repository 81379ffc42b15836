import { MalformedData } from "../../decoding/decoded-value.ts";
import { decodeValues } from "./abi-data.ts";
import { compileFields } from "./abi-type.ts";

/** Describes why a call reverted. The text comes from a contract, so control characters are removed and it is truncated. */
export function revertReason(data: unknown, message = ""): string {
  const hex = hexIn(data);
  if (hex?.startsWith("0x08c379a0")) return reverted(textIn(hex) ?? "");
  if (hex?.startsWith("0x4e487b71"))
    return reverted(`panic 0x${hex.slice(10).replace(/^0+/, "").slice(0, 64) || "0"}`);
  if (hex && hex.length >= 10) return reverted(`custom error ${hex.slice(0, 10)}`);
  // Without data, only what follows these words comes from the contract; other text is the provider's own.
  const text = /\bexecution reverted:?\s*(.*)$/is.exec(message)?.[1];
  return reverted(text ?? /out of gas|invalid opcode|stack (under|over)flow/i.exec(message)?.[0] ?? "");
}

function reverted(why: string): string {
  const clean = why
    .replace(/\p{C}+/gu, " ")
    .trim()
    .slice(0, 200);
  return clean ? `The call reverted: ${clean}` : "The call reverted.";
}

/** Some nodes wrap the data in an object or put text before it. */
function hexIn(data: unknown): string | undefined {
  if (typeof data === "string") return /0x[0-9a-fA-F]*$/.exec(data)?.[0]?.toLowerCase();
  if (typeof data === "object" && data !== null && "data" in data) return hexIn(data.data);
  return undefined;
}

const message = compileFields([{ name: "message", type: "string" }]);

function textIn(hex: string): string | undefined {
  try {
    return String(decodeValues(message, Buffer.from(hex.slice(10), "hex"))[0]);
  } catch (error) {
    if (error instanceof MalformedData) return undefined;
    throw error;
  }
}
