/** Wraps a function of two objects so that it computes once for each pair, for as long as both are in memory. */
export function memoizePair<First extends object, Second extends object, Value>(
  compute: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const cached = new WeakMap<First, WeakMap<Second, { value: Value }>>();
  return (first, second) => {
    const ofFirst = cached.get(first) ?? new WeakMap<Second, { value: Value }>();
    cached.set(first, ofFirst);
    const computed = ofFirst.get(second) ?? { value: compute(first, second) };
    ofFirst.set(second, computed);
    return computed.value;
  };
}
