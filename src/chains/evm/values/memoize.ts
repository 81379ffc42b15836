/**
 * A function that remembers what it made of texts: the same contracts, events and people come up again and again. Two
 * generations are kept; when the newer is full it becomes the older, and what was not asked for since is let go.
 */
export function memoize<Value extends string | number>(
  maxPerGeneration: number,
  make: (text: string) => Value,
): (text: string) => Value {
  let newer = new Map<string, Value>();
  let older = new Map<string, Value>();

  function keep(text: string, value: Value): Value {
    if (newer.size >= maxPerGeneration) {
      older = newer;
      newer = new Map();
    }
    newer.set(text, value);
    return value;
  }

  return (text) => newer.get(text) ?? keep(text, older.get(text) ?? make(text));
}
