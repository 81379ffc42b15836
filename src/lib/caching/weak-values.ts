/** Values that can be found as long as something else uses them. */
export type WeakValues<Value extends object> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
};

export function makeWeakValues<Value extends object>(): WeakValues<Value> {
  const references = new Map<string, WeakRef<Value>>();
  const registry = new FinalizationRegistry<string>((key) => {
    // The key may have another value by now.
    if (!references.get(key)?.deref()) references.delete(key);
  });
  return {
    get: (key) => references.get(key)?.deref(),
    set(key, value) {
      references.set(key, new WeakRef(value));
      registry.register(value, key);
    },
  };
}
