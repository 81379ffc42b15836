import type { Call, Emitted } from "../activity.ts";
import { withParameterNames } from "../decoding/named-arguments.ts";
import type { NamedItem } from "../family.ts";
import { decodeCall, decodeLog } from "./abi/decode.ts";
import { type CanonicalItem, canonicalEvent, canonicalFunction } from "./abi/signature.ts";

/** Recognises calls by their selector and decodes them by the signature, whatever the contract's ABI says. */
export function compileEvmFunction(
  signature: string,
): NamedItem<Pick<Call, "input" | "decoded">> | undefined {
  const named = canonicalFunction(signature);
  if (!named.ok) return undefined;
  return {
    match({ input, decoded: known }) {
      if (input.slice(0, 10).toLowerCase() !== named.selector) return undefined;
      const decoded = known?.signature === named.signature ? known : decodeCall(named.abi, input);
      return decoded && { decoded, scope: scopeOf(named, decoded) };
    },
    matchStored: (decoded) => (decoded.signature === named.signature ? scopeOf(named, decoded) : undefined),
  };
}

/** Recognises logs by topic 0. */
export function compileEvmEvent(
  signature: string,
): NamedItem<Pick<Emitted, "topics" | "data" | "decoded">> | undefined {
  const named = canonicalEvent(signature);
  if (!named.ok) return undefined;
  return {
    match(event) {
      if (event.topics[0] !== named.selector) return undefined;
      const decoded =
        event.decoded?.signature === named.signature ? event.decoded : decodeLog(named.abi, event);
      return decoded && { decoded, scope: scopeOf(named, decoded) };
    },
    matchStored: (decoded) => (decoded.signature === named.signature ? scopeOf(named, decoded) : undefined),
  };
}

function scopeOf({ item }: CanonicalItem, { args }: { args: Record<string, unknown> }) {
  return withParameterNames(item.inputs, args);
}
