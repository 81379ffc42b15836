type Item = {
  type?: unknown;
  name?: unknown;
  inputs?: unknown;
  outputs?: unknown;
  stateMutability?: unknown;
};
type Input = { type?: unknown; name?: unknown; indexed?: unknown; components?: unknown };

/** The signatures of an ABI's events and functions, as targets expect them. Items that are not well-formed are left out. */
export function abiNames(abi: Record<string, unknown>[]): {
  events: string[];
  functions: string[];
  views: string[];
} {
  const named = (abi as Item[]).filter(({ name }) => typeof name === "string");
  const of = (type: string) => named.filter((item) => item.type === type);
  const isView = ({ stateMutability }: Item) => stateMutability === "view" || stateMutability === "pure";
  return {
    events: of("event").map(signatureOf),
    functions: of("function")
      .filter((item) => !isView(item))
      .map(signatureOf),
    views: of("function")
      .filter(isView)
      .map((item) => `${signatureOf(item)} view returns (${typesOf(item.outputs)})`),
  };
}

function signatureOf({ name, inputs }: Item): string {
  return `${name}(${typesOf(inputs)})`;
}

function typesOf(list: unknown): string {
  return Array.isArray(list) ? (list as Input[]).map(typeOf).join(",") : "";
}

/** A tuple is written by its parts. */
function typeOf({ type, components }: Input): string {
  const text = String(type ?? "");
  if (!text.startsWith("tuple") || !Array.isArray(components)) return text;
  return `(${(components as Input[]).map(typeOf).join(",")})${text.slice("tuple".length)}`;
}
