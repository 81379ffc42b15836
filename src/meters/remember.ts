const rememberedTexts = 10_000;

/** Reads once for each text: the same few signatures, filters and declarations come with every block. */
export function memoize<Value>(read: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const value = read(text);
    if (known.size >= rememberedTexts) known.clear();
    known.set(text, value);
    return value;
  };
}
