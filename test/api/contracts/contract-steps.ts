import { systemRandom, uuidv7 } from "../../../src/lib/random.ts";
import { insertEvents, type NewEvent } from "../../../src/store/engine/alert-events.ts";
import type { Rule } from "../../../src/wire/alerts/rules.ts";
import type { Contract } from "../../../src/wire/contracts/contracts.ts";
import type { Target } from "../../../src/wire/contracts/targets.ts";
import type { Reply } from "../../support/client.ts";
import type { Harness, Person } from "../../support/harness.ts";

export const freshId = () => uuidv7(new Date(), systemRandom);

let addresses = 0;

/** An address that no contract of this file has. */
export function freshAddress(): string {
  return `0x${(++addresses).toString(16).padStart(40, "0")}`;
}

/** Creates a contract in a person's org. */
export async function addContract(owner: Person, more: object = {}): Promise<Contract> {
  return bodyOrThrow(
    await owner.client.post("/contracts", { chain: "local", address: freshAddress(), ...more }),
  );
}

export async function addTarget(
  owner: Person,
  contract_id: string,
  target: object = { target_type: "tx_rate" },
): Promise<Target> {
  return bodyOrThrow(await owner.client.post(`/contracts/${contract_id}/targets`, target));
}

/** A rule with the required fields only. */
export function ruleBody(target_id: string, more: object = {}) {
  const record_only = !("channel_id" in more || "channel_ids" in more);
  return {
    target_id,
    severity: "critical",
    condition: { operator: "gt", threshold: 1 },
    record_only,
    ...more,
  };
}

export async function addRule(owner: Person, target_id: string, more: object = {}): Promise<Rule> {
  return bodyOrThrow(await owner.client.post("/alerts", ruleBody(target_id, more)));
}

/** A contract with a target and a rule on it. */
export async function addContractWithRule(
  owner: Person,
  more: object = {},
): Promise<{ contract: Contract; target: Target; rule: Rule }> {
  const contract = await addContract(owner, more);
  const target = await addTarget(owner, contract.id);
  return { contract, target, rule: await addRule(owner, target.id) };
}

/** Grants a member access to a contract, which hides it from other members. */
export async function grant(
  admin: Person,
  contract_id: string,
  to: Person,
  role: "viewer" | "editor" = "viewer",
): Promise<void> {
  bodyOrThrow(await admin.client.post(`/contracts/${contract_id}/access`, { user_id: to.user.id, role }));
}

/** Adds a channel to an org. */
export async function addChannel(h: Harness, org_id: string): Promise<string> {
  const [id, now] = [freshId(), h.clock.now()];
  const row = { id, org_id, type: "slack", name: "Ops", config: "{}", sealed_secrets: null };
  await h.app.db
    .insertInto("channels")
    .values({ ...row, last_success_at: null, last_error: null, created_at: now, updated_at: now })
    .execute();
  return id;
}

/** Adds a sent delivery of an event and returns its id. */
export async function addDelivery(h: Harness, org_id: string, event_id: string): Promise<string> {
  const [delivery_id, channel_id, now] = [freshId(), await addChannel(h, org_id), h.clock.now()];
  const channel = { channel_id, channel_type: "slack", channel_name: "Ops" };
  const times = { next_attempt_at: now, queued_at: now, sent_at: now, created_at: now };
  const row = {
    id: delivery_id,
    org_id,
    ...channel,
    kind: "fired",
    severity: "critical",
    follows: false,
  } as const;
  const rest = { status: "sent", last_error: null, silence_id: null, worker_id: null } as const;
  await h.app.db
    .insertInto("deliveries")
    .values({ ...row, ...rest, ...times })
    .execute();
  const about = h.app.db.selectFrom("alert_events").select("contract_id").where("id", "=", event_id);
  const { contract_id } = await about.executeTakeFirstOrThrow();
  await h.app.db
    .insertInto("delivery_notices")
    .values({ channel_id, notice_id: freshId(), delivery_id, event_id, contract_id })
    .execute();
  return delivery_id;
}

/** Records an event of a rule as the engine does, and returns its id. */
export async function recordEvent(
  h: Harness,
  org_id: string,
  about: { contract?: Contract; target?: Target; rule?: Rule } = {},
  more: Partial<NewEvent> = {},
): Promise<string> {
  const id = more.id ?? freshId();
  const now = h.clock.now();
  const event: NewEvent = {
    id,
    org_id,
    kind: "fired",
    status: "firing",
    rule_id: about.rule?.id ?? null,
    rule_version: 1,
    observation: id,
    rule_name: about.rule?.name ?? "Gone",
    contract_id: about.contract?.id ?? null,
    agent_id: about.rule?.agent_id ?? null,
    chain: "local",
    chain_id: "31337",
    target_id: about.target?.id ?? null,
    target_type: "tx_rate",
    severity: "critical",
    title: "Too many transactions",
    message: "Transactions: count over 300 s is 2: more than 1.",
    value: 2,
    threshold: 1,
    operator: "gt",
    unit: "transactions",
    window_seconds: 300,
    held_for: null,
    fired_at: now,
    detected_at: now,
    resolved_at: null,
    resolved_height: null,
    acknowledged_at: null,
    acknowledged_by: null,
    block_number: "7",
    block_hash: null,
    tx_hash: null,
    log_index: null,
    finality: "pending",
    explanation: JSON.stringify({ reason: "first_breach" }),
    created_at: now,
    ...more,
  };
  await insertEvents(h.app.db, [event]);
  return id;
}

function bodyOrThrow<Thing>({ status, body, text }: Reply): Thing {
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body as Thing;
}
