import { Kysely, PostgresDialect, type PostgresPool } from "kysely";
import type pg from "pg";
import type { Db } from "../../src/store/open-store.ts";
import type { Database } from "../../src/store/tables.ts";
import type { Dice } from "../pipeline/dice.ts";
import type { Actor, Scheduler } from "./scheduler.ts";

/**
 * What happens to a statement: `lost` fails without an effect, `unanswered` takes effect and fails, and a killed process does
 * neither wait nor retry.
 */
type Fate = "done" | "lost" | "unanswered" | "killed_before" | "killed_after";

export type StoreFaults = { failure: number; kill: number };

export type StoreParts = {
  client: pg.Client;
  scheduler: Scheduler;
  actor: Actor;
  dice: Dice;
  /** The probabilities per statement; the world changes them. */
  faults: StoreFaults;
  onStatement(text: string, parameters: readonly unknown[]): void;
  onCommit(): Promise<void>;
};

export type SimulatedStore = { db: Db; readonly isInTransaction: boolean };

/**
 * The store of one simulated process: PostgreSQL itself, with failures before and after a statement took effect. A process
 * can be interrupted between transactions, never inside one: a second process would wait there for its locks.
 */
export function openSimulatedStore(parts: StoreParts): SimulatedStore {
  const connection = new Connection(parts);
  const pool = { connect: async () => connection, end: async () => undefined } as unknown as PostgresPool;
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    get isInTransaction() {
      return connection.isInTransaction;
    },
  };
}

class Connection {
  isInTransaction = false;
  private readonly parts: StoreParts;

  constructor(parts: StoreParts) {
    this.parts = parts;
  }

  async query(text: string, parameters: readonly unknown[] = []): Promise<unknown> {
    const { scheduler, actor } = this.parts;
    if (text === "rollback") return this.rollBack();
    if (!this.isInTransaction) await scheduler.wait(actor, `query ${text.slice(0, 60)}`);
    const fate = this.drawFate();
    if (fate !== "done") scheduler.record(`${actor.name} ${fate} ${text.trim().slice(0, 60)}`);
    if (fate.startsWith("killed")) actor.isDead = true;
    if (fate === "lost" || fate === "killed_before")
      throw new Error(`The simulated store failed before: ${text}`);
    const result = await this.execute(text, parameters);
    if (fate === "unanswered" || fate === "killed_after")
      throw new Error(`The simulated store failed after: ${text}`);
    return result;
  }

  release(): void {}

  private async execute(text: string, parameters: readonly unknown[]): Promise<unknown> {
    const { scheduler, client, onStatement, onCommit } = this.parts;
    onStatement(text, parameters);
    const statement = prepare(text, parameters, new Date(scheduler.now));
    const result = await scheduler.perform(() => client.query(statement));
    if (text === "begin") this.isInTransaction = true;
    if (text === "commit") {
      this.isInTransaction = false;
      await onCommit();
    }
    return result;
  }

  private async rollBack(): Promise<unknown> {
    if (!this.isInTransaction) return { rows: [] };
    this.isInTransaction = false;
    return this.parts.scheduler.perform(() => this.parts.client.query("rollback"));
  }

  private drawFate(): Fate {
    const { dice, faults } = this.parts;
    if (faults.kill > 0 && dice.chance(faults.kill)) return dice.pick(["killed_before", "killed_after"]);
    if (faults.failure > 0 && dice.chance(faults.failure)) return dice.pick(["lost", "unanswered"]);
    return "done";
  }
}

/**
 * Leases use the time of the database, which is simulated too. Statements have names, so that PostgreSQL parses each of them
 * once for thousands of worlds.
 */
function prepare(text: string, parameters: readonly unknown[], now: Date): pg.QueryConfig {
  const simulated = text.replaceAll("clock_timestamp()", `$${parameters.length + 1}::timestamptz`);
  const values = simulated === text ? [...parameters] : [...parameters, now];
  return { name: nameOf(simulated), text: simulated, values };
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement_${names.size}`;
  names.set(text, name);
  return name;
}
