import type pg from "pg";
import { type Limiter, windowMs } from "../../lib/limiter/limiter.ts";

/** A rate limiter whose windows are in the database, for several processes without Redis. */
export function makeDatabaseLimiter(pool: pg.Pool, lengthMs = windowMs): Limiter {
  return {
    async admit(key_id, limit) {
      const { rows } = await pool.query<{
        is_admitted: boolean;
        remaining: number;
        wait_ms: number;
        reset_ms: number;
      }>({
        name: "admit_key_hit",
        text: "select * from admit_key_hit($1, $2, $3)",
        values: [key_id, limit, lengthMs],
      });
      const row = rows[0];
      if (!row) throw new Error("the limiter gave no answer");
      const { is_admitted, remaining, wait_ms, reset_ms } = row;
      return { isAdmitted: is_admitted, remaining, waitMs: wait_ms, resetMs: reset_ms };
    },
    close: async () => undefined,
  };
}
