import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { fitsOf, refOf, selectTemplates } from "../../src/domain/alerts/templates/select-templates.ts";
import { meterOf } from "../../src/meters/index.ts";
import type { Db } from "../../src/store/open-store.ts";
import { addressOf } from "../engine-world.ts";
import { factsOf } from "./kinds.ts";

type TargetRow = {
  id: string;
  contract_id: string;
  org_id: string;
  target_type: string;
  config: object;
  is_singleton: boolean;
};
type RuleRow = Record<
  "contract_id" | "org_id" | "target_id" | "name" | "severity" | "external_ref",
  string
> & {
  condition: object;
  for_seconds: number;
};

/** Inserts contracts of all kinds with the targets and rules of their recommended templates. Returns the numbers of both. */
export async function applyToAll(db: Db, contracts: number): Promise<{ targets: number; rules: number }> {
  const orgs = Array.from({ length: 100 }, () => randomUUID());
  await sql`insert into orgs (id, name, tier, created_at)
    select id, 'Org', 'enterprise', now() from unnest(${orgs}::uuid[]) id`.execute(db);
  const made = { targets: 0, rules: 0 };
  for (let from = 0; from < contracts; from += 500) {
    const numbers = Array.from({ length: Math.min(500, contracts - from) }, (_, index) => from + index);
    const { targets, rules } = await insertBatch(db, orgs, numbers);
    made.targets += targets;
    made.rules += rules;
  }
  await sql`analyze`.execute(db);
  return made;
}

async function insertBatch(db: Db, orgs: readonly string[], numbers: readonly number[]) {
  const contracts = numbers.map((number) => ({
    ...{ id: randomUUID(), org_id: orgs[number % orgs.length] as string, number, address: addressOf(number) },
  }));
  const [targets, rules]: [TargetRow[], RuleRow[]] = [[], []];
  for (const { id, org_id, number } of contracts) {
    const own = rowsFor({ contract_id: id, org_id }, number);
    targets.push(...own.targets);
    rules.push(...own.rules);
  }
  await sql`insert into contracts (id, org_id, chain, chain_id, address, label, status, created_at, updated_at)
    select id, org_id, 'local', 31337, address, 'Contract', 'MONITORING', now(), now()
    from jsonb_to_recordset(${JSON.stringify(contracts)}::jsonb) g (id uuid, org_id uuid, address text)`.execute(
    db,
  );
  await sql`insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, created_at, updated_at)
    select id, org_id, contract_id, target_type, target_type, config, is_singleton, now(), now()
    from jsonb_to_recordset(${JSON.stringify(targets)}::jsonb)
      g (id uuid, org_id uuid, contract_id uuid, target_type text, config jsonb, is_singleton boolean)`.execute(
    db,
  );
  await sql`insert into alert_rules
      (id, org_id, contract_id, target_id, name, severity, condition, for_seconds, external_ref, created_at, updated_at)
    select gen_random_uuid(), org_id, contract_id, target_id, name, severity, condition, for_seconds, external_ref, now(), now()
    from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb)
      g (org_id uuid, contract_id uuid, target_id uuid, name text, severity text, condition jsonb, for_seconds int, external_ref text)`.execute(
    db,
  );
  return { targets: targets.length, rules: rules.length };
}

/** The targets and rules that applying the recommended templates creates. */
function rowsFor(contract: { contract_id: string; org_id: string }, number: number) {
  const facts = factsOf(number);
  const targets = new Map<string, TargetRow>();
  const rules: RuleRow[] = [];
  for (const template of selectTemplates("recommended", facts))
    for (const fit of fitsOf(template, facts, undefined)) {
      if (fit.reason !== undefined || !fit.config) continue;
      const { id: target_id } = targetFor(targets, contract, template.target_type, fit.config);
      const { name, condition } = fit;
      const { severity, for_seconds } = template;
      rules.push({
        ...contract,
        target_id,
        name,
        severity,
        condition,
        for_seconds,
        external_ref: refOf(template, fit),
      });
    }
  return { targets: [...targets.values()], rules };
}

function targetFor(
  targets: Map<string, TargetRow>,
  contract: { contract_id: string; org_id: string },
  target_type: string,
  given: object,
): TargetRow {
  const meter = meterOf(target_type);
  if (!meter) throw new Error(`There is no target type ${target_type}.`);
  const config = meter.config.parse(given);
  const is_singleton = meter.instances === "one";
  const key = is_singleton ? target_type : `${target_type} ${JSON.stringify(config)}`;
  const known = targets.get(key) ?? { ...contract, id: randomUUID(), target_type, config, is_singleton };
  targets.set(key, known);
  return known;
}
