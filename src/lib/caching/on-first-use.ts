/** Wraps a computation so that it runs on first use, and once, instead of delaying the start of every process. */
export function onFirstUse<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
