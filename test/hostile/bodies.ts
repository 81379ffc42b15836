/** A request body that is expensive to process for its size. */
export type HostileBody = { name: string; bytes(): Buffer };

/**
 * Bodies of about `size` bytes and at most `values` values, made on use. `example` is a valid body; each of its fields is
 * replaced in turn.
 */
export function* hostileBodies(
  example: unknown,
  { size, values }: { size: number; values: number },
): Generator<HostileBody> {
  for (const [name, make] of Object.entries({ ...hostileTexts, ...hostileValues }))
    yield { name, bytes: () => Buffer.from(make(size, values)) };
  if (typeof example !== "object" || example === null) return;
  for (const field of Object.keys(example)) {
    for (const [name, make] of Object.entries(hostileValues))
      yield {
        name: `${field}: ${name}`,
        bytes: () => Buffer.from(insert(example, field, make(size, values))),
      };
  }
}

/** The value is inserted as text, so that it can repeat keys and have numbers that JavaScript would change. */
function insert(example: object, field: string, value: string): string {
  const rest = JSON.stringify({ ...example, [field]: null });
  const marker = `${JSON.stringify(field)}:null`;
  return rest.replace(marker, () => `${JSON.stringify(field)}:${value}`);
}

type Make = (size: number, values: number) => string;

/** Whole bodies. */
const hostileTexts: Record<string, Make> = {
  "many keys": (size) => `{${repeat(size, (n) => `"k${n}":1`)}}`,
  "keys that cannot be stored": (size) => `{${repeat(size, (n) => `"k${n}\\u0000":1`)}}`,
  "a repeated key": (size) => `{${repeat(size, () => '"email":1')}}`,
  "a long key": (size) => `{"${"a".repeat(size - 10)}":1}`,
  "deep lists": (size) => "[".repeat(size),
  "deep objects": (size) => '{"a":'.repeat(Math.floor(size / 5)),
  "brackets in strings": (size) => `"${"[{".repeat(Math.floor(size / 2) - 2)}"`,
  "a form with repeated fields": (size) => repeat(size, () => "a", "&"),
  "a form with many fields": (size) => repeat(size, (n) => `a${n}=1`, "&"),
  "invalid UTF-8": (size) => "\udc80".repeat(Math.floor(size / 3)),
};

/** Values as JSON text. */
const hostileValues: Record<string, Make> = {
  "a wide list of objects": (size) => `[${repeat(size, () => "{}")}]`,
  "a wide list of lists": (size) => `[${repeat(size, () => "[]")}]`,
  "a wide list of numbers": (size) => `[${repeat(size, () => "1e308")}]`,
  "a wide list of texts": (size) => `[${repeat(size, (n) => `"t${n}"`)}]`,
  "an object with many keys": (size) => `{${repeat(size, (n) => `"k${n}":{}`)}}`,
  "as many numbers as are accepted": (size, values) => `[${upTo(size, values, () => "1")}]`,
  "as many objects as are accepted": (size, values) => `[${upTo(size, values / 2, () => "{}")}]`,
  "as many keys as are accepted": (size, values) => `{${upTo(size, values, (n) => `"k${n}":1`)}}`,
  "as many ABI entries as are accepted": (size, values) =>
    `[${upTo(size, values / 5, (n) => `{"type":"event","name":"E${n}","inputs":[]}`)}]`,
  "an IDL with as many values as are accepted": (size, values) =>
    `{"address":"11111111111111111111111111111111","metadata":{"name":"x","version":"0.1.0","spec":"0.1.0"},"instructions":[${upTo(
      size,
      values / 14,
      (n) => `{"name":"i${n}","discriminator":[1,2,3,4,5,6,7,8],"accounts":[],"args":[]}`,
    )}]}`,
  "one key many times": (size) => `{${repeat(size, () => '"type":1')}}`,
  "nested lists": () => `${"[".repeat(60)}${"]".repeat(60)}`,
  "wide nested lists": (size) => `[${repeat(size, () => `${"[".repeat(50)}${"]".repeat(50)}`)}]`,
  "a long text": (size) => JSON.stringify("a".repeat(size - 200)),
  "a long text of spaces": (size) => JSON.stringify(" ".repeat(size - 200)),
  "a long text of escapes": (size) => `"${"\\u0000".repeat(Math.floor((size - 200) / 6))}"`,
  "a long number": (size) => "9".repeat(size - 200),
  "an address of zeros": (size) => JSON.stringify(`0x${"0".repeat(size - 200)}`),
  "an expression": (size) => JSON.stringify("(".repeat(size - 200)),
  "a signature": (size) =>
    JSON.stringify(`f(${"(".repeat((size - 200) / 2)}${")".repeat((size - 200) / 2)})`),
  "ABI entries": (size) => `[${repeat(size, (n) => `{"type":"event","name":"E${n}","inputs":[]}`)}]`,
  "an ABI entry of many types": (size) =>
    `[{"type":"function","name":"f","inputs":[${repeat(size, () => '{"type":"uint256[]"}')}]}]`,
  "ABI entries as text": (size) =>
    JSON.stringify(`[${repeat(size * 0.7, (n) => `{"type":"event","name":"E${n}","inputs":[]}`)}]`),
  "an IDL": (size) =>
    `{"address":"11111111111111111111111111111111","metadata":{"name":"x","version":"0.1.0","spec":"0.1.0"},"instructions":[${repeat(
      size - 300,
      (n) => `{"name":"i${n}","discriminator":[1,2,3,4,5,6,7,8],"accounts":[],"args":[]}`,
    )}]}`,
  "a YAML map": (size) => JSON.stringify(repeat(size * 0.9, (n) => `k${n}: ${n}`, "\n")),
  "YAML aliases": (size) => JSON.stringify(`a: &a [x]\n${repeat(size * 0.8, (n) => `b${n}: *a`, "\n")}`),
  "YAML anchors": (size) => JSON.stringify(repeat(size * 0.8, (n) => `b${n}: &a${n} {}`, "\n")),
  "a repeated YAML key": (size) => JSON.stringify(repeat(size * 0.8, () => "k: 1", "\n")),
  "CSV rows": (size) => JSON.stringify(`chain,address\n${repeat(size * 0.9, () => "local,0x", "\n")}`),
  "CSV quotes": (size) => JSON.stringify(`chain,address\n${'""'.repeat(Math.floor(size / 5))}`),
};

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

/** Joins at most `count` parts of at most `size` characters together; a few values remain for what surrounds them. */
function upTo(size: number, count: number, part: (n: number) => string): string {
  const parts: string[] = [];
  for (let n = 0, length = 0; n < count - 50 && length < size - 500; n++) {
    const one = part(n);
    length += one.length + 1;
    parts.push(one);
  }
  return parts.join(",");
}
