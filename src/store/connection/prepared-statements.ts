import { LRUCache } from "lru-cache";
import type pg from "pg";

/** Repeated statements of a connection are prepared, up to this many: each holds about 50 KB in the server. */
const maxPrepared = 150;
/** Texts whose repetitions are counted. Inserts of many rows have a text per number of rows. */
const maxCounted = 500;
const maxTextLength = 6_000;

/**
 * A plan for any parameters locks every partition, of which there are hundreds. Statements about them are planned with their
 * parameters each time.
 */
const partitioned = /\bsamples(_minute|_hour)?\b/;

const connections = new WeakMap<pg.ClientBase, Statements>();

/**
 * Turns a statement that a connection repeats into a prepared one, so that the server parses and plans it once: planning takes
 * longer than the execution of most statements.
 */
export function toQuery(client: pg.ClientBase, text: string, values: unknown[]): pg.QueryConfig {
  const statements = connections.get(client) ?? new Statements();
  connections.set(client, statements);
  const name = statements.nameOf(text);
  return { text, values, ...(name && { name }) };
}

/** The statements of one connection. */
class Statements {
  private readonly counted = new LRUCache<string, number>({ max: maxCounted });
  private readonly names = new Map<string, string>();

  nameOf(text: string): string | undefined {
    const name = this.names.get(text);
    if (name || this.names.size >= maxPrepared) return name;
    const isRepeated = this.counted.has(text);
    if (!isRepeated) {
      if (text.length <= maxTextLength && !partitioned.test(text)) this.counted.set(text, 1);
      return undefined;
    }
    this.counted.delete(text);
    this.names.set(text, `statement_${this.names.size + 1}`);
    return this.names.get(text);
  }
}
