/** A hint that something changed. It is never the only copy of a fact: listeners read the database. */
export type Hint = { topic: string; org_id?: string; id?: string };

export type Bus = {
  publish(hint: Hint): void;
  /** Calls the listener for each hint of the topic until the returned function is called. */
  subscribe(topic: string, listener: (hint: Hint) => void): () => void;
};

/** A bus inside one process. */
export function makeLocalBus(): Bus {
  const listeners = new Map<string, Set<(hint: Hint) => void>>();
  return {
    publish(hint) {
      for (const listener of listeners.get(hint.topic) ?? []) listener(hint);
    },
    subscribe(topic, listener) {
      const group = listeners.get(topic) ?? new Set();
      listeners.set(topic, group.add(listener));
      return () => group.delete(listener);
    },
  };
}
