/** What a process used since its start, and the longest delay of its event loop since the previous reading. */
type ProcessFigures = { cpuSeconds: number; longestDelayMs: number };

type Round = {
  times: number[];
  failures: string[];
  before: Map<string, ProcessFigures>;
  after: Map<string, ProcessFigures>;
};

/** Rounds under the same conditions. */
export type Phase = { name: string; rounds: Round[] };

/** The p99 under attack relative to quiet. */
const maxRatio = 3;

export function printPhases(quiet: Phase, attacked: Phase): void {
  for (const phase of [quiet, attacked]) printPhase(phase);
  const byRound = attacked.rounds.map((round, index) => p99Of([round]) / p99Of([quiet.rounds[index]]));
  const ratio = p99Of(attacked.rounds) / p99Of(quiet.rounds);
  console.log(
    `p99 under attack is ${ratio.toFixed(1)} times that of quiet (by round: ${byRound.map((one) => one.toFixed(1)).join(", ")}): ` +
      `${ratio <= maxRatio ? "isolated" : "TOO SLOW"}`,
  );
}

function printPhase({ name, rounds }: Phase): void {
  const times = rounds.flatMap((round) => round.times);
  const shares = [0.5, 0.9, 0.99, 0.999].map(
    (share) => `p${share * 100} ${part(times, share).toFixed(1)} ms`,
  );
  const failures = rounds.flatMap((round) => round.failures);
  console.log(`${name}: ${times.length} requests, ${shares.join(", ")}, ${failures.length} failed`);
  for (const failure of new Set(failures)) console.log(`  ${failure}`);
  for (const process of rounds[0]?.after.keys() ?? []) {
    const used = rounds.map(
      ({ before, after }) => (after.get(process)?.cpuSeconds ?? 0) - (before.get(process)?.cpuSeconds ?? 0),
    );
    const delay = Math.max(...rounds.map(({ after }) => after.get(process)?.longestDelayMs ?? 0));
    const seconds = used.reduce((sum, one) => sum + one, 0);
    console.log(
      `  ${process}: ${seconds.toFixed(1)} s of processor time, longest event loop delay ${delay.toFixed(0)} ms`,
    );
  }
}

function p99Of(rounds: (Round | undefined)[]): number {
  return part(
    rounds.flatMap((round) => round?.times ?? []),
    0.99,
  );
}

function part(times: number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}

/** Reads the figures of each process from the metrics, which also resets the longest delay. */
export async function readProcesses(url: string, token: string): Promise<Map<string, ProcessFigures>> {
  const reply = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  const text = await reply.text();
  const read = (metric: string) =>
    new Map(
      [...text.matchAll(new RegExp(`^${metric}\\{process="([^"]+)"\\} (\\S+)`, "gm"))].map(
        ([, name = "", value]) => [name, Number(value)] as const,
      ),
    );
  const delays = read("nodejs_eventloop_lag_max_seconds");
  return new Map(
    [...read("process_cpu_seconds_total")].map(([name, cpuSeconds]) => [
      name,
      { cpuSeconds, longestDelayMs: (delays.get(name) ?? 0) * 1000 },
    ]),
  );
}
