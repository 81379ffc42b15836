/** Wraps a computation so that it runs on first use, and once, instead of delaying the start of every process. */
export function onFirstUse<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}

/** The same for a computation that takes time. One that failed runs again at the next use. */
export function onFirstSuccess<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let computed: Promise<Value> | undefined;
  return () => {
    computed ??= compute().catch((error) => {
      computed = undefined;
      throw error;
    });
    return computed;
  };
}
