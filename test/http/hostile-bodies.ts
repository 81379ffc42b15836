/** A request body that is expensive to process for its size. */
export type HostileBody = { name: string; bytes: Buffer };

/** Bodies of about `size` bytes. `example` is a valid body; each of its fields is replaced in turn. */
export function* hostileBodies(example: unknown, size: number): Generator<HostileBody> {
  for (const [name, text] of Object.entries(hostileTexts(size))) yield { name, bytes: Buffer.from(text) };
  if (typeof example !== "object" || example === null) return;
  for (const field of Object.keys(example)) {
    for (const [name, value] of Object.entries(hostileValues(size))) {
      // The value is inserted as text, so that it can repeat keys and have numbers that JavaScript would change.
      const rest = JSON.stringify({ ...example, [field]: null });
      const marker = `${JSON.stringify(field)}:null`;
      yield {
        name: `${field}: ${name}`,
        bytes: Buffer.from(rest.replace(marker, () => `${JSON.stringify(field)}:${value}`)),
      };
    }
  }
}

/** Whole bodies. */
function hostileTexts(size: number): Record<string, string> {
  return {
    "many keys": `{${repeat(size, (n) => `"k${n}":1`)}}`,
    "keys that cannot be stored": `{${repeat(size, (n) => `"k${n}\\u0000":1`)}}`,
    "a repeated key": `{${repeat(size, () => '"email":1')}}`,
    "a long key": `{"${"a".repeat(size - 10)}":1}`,
    "deep lists": "[".repeat(size),
    "deep objects": '{"a":'.repeat(Math.floor(size / 5)),
    "brackets in strings": `"${"[{".repeat(Math.floor(size / 2) - 2)}"`,
    "a form with repeated fields": repeat(size, () => "a", "&"),
    "a form with many fields": repeat(size, (n) => `a${n}=1`, "&"),
    "invalid UTF-8": "\udc80".repeat(Math.floor(size / 3)),
    ...Object.fromEntries(
      Object.entries(hostileValues(size)).map(([name, value]) => [`the body: ${name}`, value]),
    ),
  };
}

/** Values as JSON text. */
function hostileValues(size: number): Record<string, string> {
  return {
    "a wide list of objects": `[${repeat(size, () => "{}")}]`,
    "a wide list of lists": `[${repeat(size, () => "[]")}]`,
    "a wide list of numbers": `[${repeat(size, () => "1e308")}]`,
    "a wide list of texts": `[${repeat(size, (n) => `"t${n}"`)}]`,
    "an object with many keys": `{${repeat(size, (n) => `"k${n}":{}`)}}`,
    "nested lists": `${"[".repeat(60)}${"]".repeat(60)}`,
    "a long text": JSON.stringify("a".repeat(size - 200)),
    "a long text of spaces": JSON.stringify(" ".repeat(size - 200)),
    "a long number": "9".repeat(size - 200),
    "an address of zeros": JSON.stringify(`0x${"0".repeat(size - 200)}`),
    "an expression": JSON.stringify("(".repeat(size - 200)),
    "a YAML map": JSON.stringify(repeat(size - 300, (n) => `k${n}: ${n}`, "\n")).slice(0, size),
    "YAML aliases": JSON.stringify(`a: &a [x]\n${repeat(size - 300, (n) => `b${n}: *a`, "\n")}`).slice(
      0,
      size,
    ),
  };
}

/** Joins parts until about `size` characters. */
function repeat(size: number, part: (n: number) => string, separator = ","): string {
  const parts: string[] = [];
  for (let length = 0, n = 0; length < size - 100; n++) {
    const one = part(n);
    length += one.length + separator.length;
    parts.push(one);
  }
  return parts.join(separator);
}
