import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { Protection } from "../../test/detection/protection.ts";
import type { DueSignal, Staged } from "../../test/detection/replay.ts";

type Found = {
  signal: DueSignal;
  /** Undefined if no alert showed it. */
  blocksLate: number | undefined;
  severity: string | undefined;
};

/** What the rules of one user showed. */
export type Outcome = {
  variant: string;
  incident: string;
  found: Found[];
  falseAlerts: { contract: string; rule: string; at: number }[];
  contractWeeks: number;
};

type User = { variant: string; staged: Staged; protection: Protection };

/** Compares the alerts of a user with the signals of the incident. Alerts before the attack are false. */
export async function readOutcome(
  { variant, staged, protection }: User,
  due: readonly DueSignal[],
  seconds: number,
): Promise<Outcome> {
  const { client, contracts } = protection;
  const events = new Map<string, AlertEvent[]>();
  for (const [name, contract_id] of Object.entries(contracts))
    events.set(name, await historyOf(client, contract_id));
  const attackedAt = staged.attackedAt ?? Number.POSITIVE_INFINITY;
  const falseAlerts = [...events].flatMap(([contract, own]) =>
    own
      .filter(({ block_number }) => (block_number ?? 0) < attackedAt)
      .map(({ rule_name, block_number }) => ({ contract, rule: rule_name ?? "", at: block_number ?? 0 })),
  );
  return {
    variant,
    incident: staged.incident.name,
    found: due
      .filter((signal) => signal.staged === staged)
      .map((signal) => find(signal, events.get(signal.on) ?? [])),
    falseAlerts,
    contractWeeks: (Object.keys(contracts).length * seconds) / (7 * 86_400),
  };
}

async function historyOf(client: Protection["client"], contract_id: string): Promise<AlertEvent[]> {
  const reply = await client.get("/alerts/history", { query: { contract_id, limit: "200" } });
  if (reply.status !== 200) throw new Error(reply.text);
  return (reply.body as AlertEvent[]).filter(({ kind }) => kind === "fired");
}

function find(signal: DueSignal, events: readonly AlertEvent[]): Found {
  const [first] = events
    .filter(
      ({ target_type, rule_name, block_number }) =>
        signal.by.includes(target_type ?? "") &&
        (!signal.rule || signal.rule.test(rule_name ?? "")) &&
        (block_number ?? 0) >= signal.height,
    )
    .toSorted((a, b) => (a.block_number ?? 0) - (b.block_number ?? 0) || rank(b.severity) - rank(a.severity));
  if (!first) return { signal, blocksLate: undefined, severity: undefined };
  return { signal, blocksLate: (first.block_number ?? 0) - signal.height, severity: first.severity };
}

function rank(severity: string): number {
  return ["info", "warning", "critical"].indexOf(severity);
}

/** Prints the figures of each variant, and what was missed, late, of another severity or false. */
export function printOutcome(outcomes: readonly Outcome[]): void {
  for (const [variant, own] of Map.groupBy(outcomes, (outcome) => outcome.variant)) {
    const found = own.flatMap((outcome) =>
      outcome.found.map((signal) => ({ ...signal, incident: outcome.incident })),
    );
    const caught = found.filter(({ blocksLate }) => blocksLate !== undefined);
    const first = caught.filter(({ blocksLate }) => blocksLate === 0);
    const falseAlerts = own.flatMap((outcome) =>
      outcome.falseAlerts.map((alert) => ({ ...alert, incident: outcome.incident })),
    );
    const weeks = own.reduce((sum, outcome) => sum + outcome.contractWeeks, 0);
    const share = (part: number) => `${((100 * part) / found.length).toFixed(0)} %`;
    console.log(
      `${variant}: ${caught.length} of ${found.length} signals of ${own.filter((outcome) => outcome.found.length > 0).length} incidents caught (${share(caught.length)}), ` +
        `${first.length} in their first block (${share(first.length)}), ` +
        `${falseAlerts.length} false alerts in ${weeks.toFixed(1)} contract-weeks (${(falseAlerts.length / weeks).toFixed(2)} a week)`,
    );
    for (const { signal, blocksLate, severity, incident } of found) {
      const about = `${incident}: ${signal.on}, ${signal.what}`;
      if (blocksLate === undefined) console.log(`  missed: ${about}`);
      else if (blocksLate > 0) console.log(`  ${blocksLate} blocks late: ${about}`);
      if (severity && severity !== signal.severity)
        console.log(`  ${severity} instead of ${signal.severity}: ${about}`);
    }
    const groups = Map.groupBy(
      falseAlerts,
      ({ incident, contract, rule }) => `${incident}: ${contract}, ${rule}`,
    );
    for (const [about, all] of groups) console.log(`  ${all.length} false: ${about}`);
  }
}
