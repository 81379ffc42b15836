import type pg from "pg";

/** The longest time that a timer can have. */
const noLimitMs = 2 ** 31 - 1;

/** The time limit of the statements of a pool in milliseconds, which is also how long a request may wait for a connection. */
export function maxStatementMs(pool: pg.Pool): number {
  return Number(pool.options.statement_timeout) || noLimitMs;
}
