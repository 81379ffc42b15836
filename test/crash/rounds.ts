import { sql } from "kysely";
import { expect } from "vitest";
import { Engine } from "./engine.ts";
import type { Order } from "./engine-child.ts";
import type { Round } from "./schedule.ts";
import { sleep, type World } from "./world.ts";

/** The timeout for progress of an engine, with failing nodes on a busy machine. Only an engine that hangs takes this long. */
const deadlineMs = 600_000;

/** Starts and kills engines by the schedule, and counts the kills. */
export class Executioner {
  private readonly world: World;
  /** The next engine, started early: loading takes longer than most engines live. */
  private spare: Engine;
  private readonly alive = new Set<Engine>();
  /** The number of kills by fault point or kind. */
  readonly kills = new Map<string, number>();
  /** The times from the start to the first commit, in ms. */
  readonly recoveries: number[] = [];

  constructor(world: World) {
    this.world = world;
    this.spare = this.load();
  }

  async play(round: Round): Promise<void> {
    if (round.kind === "zombie") return this.outlive(round);
    await this.playOne(round);
    await this.freeLease(round);
  }

  async start(fault?: Order["fault"]): Promise<Engine> {
    const engine = this.spare;
    this.spare = this.load();
    await engine.start({ ...this.world.order, fault });
    return engine;
  }

  /** Kills every process that was started. */
  async close(): Promise<void> {
    await Promise.all([...this.alive].map((engine) => engine.kill()));
  }

  private load(): Engine {
    const engine = new Engine();
    this.alive.add(engine);
    return engine;
  }

  private async playOne(round: Exclude<Round, { kind: "zombie" }>): Promise<void> {
    if (round.kind === "point") {
      const engine = await this.start({ point: round.point, hits: round.hits, signal: "SIGKILL" });
      const isHit = await engine.until(() => !engine.isAlive, deadlineMs);
      return this.bury(engine, isHit ? round.point : `${round.point} missed`);
    }
    const engine = await this.start();
    await sleep(round.afterMs);
    if (round.kind === "with_database") return this.failDatabase(engine, round.survives);
    await this.bury(engine, round.kind);
  }

  /** Kills the database under an engine, which dies too or continues when the database is back. */
  private async failDatabase(engine: Engine, survives: boolean): Promise<void> {
    this.world.killPostgres();
    if (!survives) return this.bury(engine, "with the database");
    await this.world.ask((db) => db.selectFrom("chain_cursors").select("chain").execute());
    const before = engine.count("engine.after_commit");
    await this.await(
      engine,
      "a commit after the database is back",
      () => engine.count("engine.after_commit") > before,
    );
    await this.bury(engine, "after the database");
  }

  /** Suspends an engine past its lease, so that another engine takes over the chain. */
  private async outlive(round: Extract<Round, { kind: "zombie" }>): Promise<void> {
    const { point, hits, rivalLives } = round;
    const zombie = await this.start({ point, hits, signal: "SIGSTOP" });
    await this.await(zombie, `hit ${hits} of ${point}`, () => zombie.count(point) === hits);
    await this.freeLease(round);
    const rival = await this.start();
    await this.await(
      rival,
      `three commits beside an engine suspended at ${point}`,
      () => rival.count("engine.after_commit") > 2,
    );
    const written = zombie.count("engine.after_cursor");
    if (rivalLives) {
      zombie.signal("SIGCONT");
      const commits = rival.count("engine.after_commit");
      await rival.until(() => rival.count("engine.after_commit") > commits + 2, deadlineMs);
      // It must discard the results from before it was suspended.
      expect(zombie.count("engine.after_cursor")).toBe(written);
    }
    await this.bury(rival, "rival of a zombie");
    await this.world.expireLease();
    zombie.signal("SIGCONT");
    await this.await(
      zombie,
      "a commit after its suspension",
      () => zombie.count("engine.after_commit") > written,
    );
    await this.bury(zombie, `zombie of ${point}`);
    await this.world.expireLease();
  }

  /** Waits for progress of an engine; if there is none, the error has what explains it. */
  private async await(engine: Engine, what: string, isSo: () => boolean): Promise<void> {
    if (await engine.until(isSo, deadlineMs)) return;
    const select = (from: string) =>
      this.world.ask((db) => sql`select * from ${sql.table(from)}`.execute(db).then(({ rows }) => rows));
    const { rows: sessions } = await this.world.ask((db) =>
      sql`select pid, state, wait_event_type, wait_event, pg_blocking_pids(pid) as blocked_by, xact_start, left(query, 200) as query
        from pg_stat_activity where datname = current_database()`.execute(db),
    );
    const state = {
      isAlive: engine.isAlive,
      passed: engine.passed.slice(-20),
      leases: await select("chain_leases"),
      cursors: await select("chain_cursors"),
      tip: this.world.chain.tree.tip.height,
      sessions,
    };
    throw new Error(
      `An engine did not reach ${what} within ${deadlineMs / 1000} s: ${JSON.stringify(state, undefined, 1)}`,
    );
  }

  /** Usually expires the lease at once, to save time. */
  private async freeLease({ waitsForLease }: Round): Promise<void> {
    if (waitsForLease) await this.world.waitForLease();
    else await this.world.expireLease();
  }

  private async bury(engine: Engine, where: string): Promise<void> {
    await engine.kill();
    this.alive.delete(engine);
    this.kills.set(where, (this.kills.get(where) ?? 0) + 1);
    if (engine.recoveredMs !== undefined) this.recoveries.push(engine.recoveredMs);
  }
}
