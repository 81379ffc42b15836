import { memoize } from "../../lib/caching/memoize.ts";
import type { Call, Emitted } from "../activity.ts";
import { withParameterNames } from "../decoding/named-arguments.ts";
import type { NamedItem } from "../family.ts";
import { decodeCall, decodeLog } from "./abi/decode.ts";
import { type CanonicalItem, canonicalEvent, canonicalFunction } from "./abi/signature.ts";

type Called = Pick<Call, "input" | "decoded">;
type Logged = Pick<Emitted, "topics" | "data" | "decoded">;

/**
 * Recognises calls by their selector and decodes them by the signature, whatever the contract's ABI says. Rules share it by its
 * text.
 */
export const compileEvmFunction = memoize(10_000, (signature): NamedItem<Called> | undefined => {
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
});

/** Recognises logs by topic 0. */
export const compileEvmEvent = memoize(10_000, (signature): NamedItem<Logged> | undefined => {
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
});

function scopeOf({ item }: CanonicalItem, { args }: { args: Record<string, unknown> }) {
  return withParameterNames(item.inputs, args);
}
