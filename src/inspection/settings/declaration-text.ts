import type { AbiEntry } from "../../chains/evm/abi/abi.ts";

const maxSignature = 300;

/** The declaration of an event with its names, which messages show; without them if it has tuples. Undefined if it is too long. */
export function declarationText(entry: AbiEntry | undefined): string | undefined {
  if (entry?.item.type !== "event") return undefined;
  const { name: event, inputs } = entry.item;
  const named = inputs.map(({ type, indexed, name }) =>
    [type, ...(indexed ? ["indexed"] : []), name].join(" ").trim(),
  );
  const text = `${event}(${named.join(", ")})`;
  const isPlain = !inputs.some((input) => "components" in input && input.components);
  if (isPlain && text.length <= maxSignature) return text;
  return entry.signature.length <= maxSignature ? entry.signature : undefined;
}
