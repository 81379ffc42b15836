import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { getAddress, keccak256, pad, toHex } from "viem";
import type { App } from "../src/app.ts";
import type { Block, Hex, ReadResult } from "../src/chains/block.ts";
import type { BlockRef, ChainReader } from "../src/chains/reader.ts";
import { parseConfig } from "../src/config.ts";
import { openDatabase } from "../src/database.ts";
import { makeLog } from "../src/lib/log/log.ts";
import { withApp } from "../src/main.ts";
import { type Db, openStore } from "../src/store/open-store.ts";
import type { RuleCondition } from "../src/wire/alerts/rule-condition.ts";

const transferTopic = keccak256(toHex("Transfer(address,address,uint256)"));
const sender = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** Runs a measurement on a temporary database. `patient` has no statement timeout, for bulk inserts. */
export async function onFreshDatabase(
  work: (app: App, patient: Db) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const own = { DATA_DIR: folder, LOG_LEVEL: "warn", RPC_LOCAL: "http://127.0.0.1:1" };
  const config = parseConfig({ ...own, ...settings });
  const log = makeLog("warn");
  const database = await openDatabase(config, log);
  const patient = openStore(database.address, log, { isPatient: true });
  try {
    await withApp(config, (app) => work(app, patient.db));
  } finally {
    await patient.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const addresses = new Map<number, string>();

/** Cached, since the checksum of an address costs more than the rest of a log. */
export function addressOf(number: number): string {
  const known = addresses.get(number);
  if (known) return known;
  const address = getAddress(pad(toHex(number + 1), { size: 20 }));
  addresses.set(number, address);
  return address;
}

/** Inserts contracts at numbered addresses, each with a Transfer target and a rule per threshold. */
export async function makeContracts(
  db: Db,
  contracts: number,
  thresholds: number[],
  more: Partial<RuleCondition> = {},
): Promise<void> {
  const orgs = Array.from({ length: 100 }, () => randomUUID());
  await sql`insert into orgs (id, name, tier, created_at)
    select id, 'Org', 'enterprise', now() from unnest(${orgs}::uuid[]) id`.execute(db);
  const batch = 10_000;
  for (let from = 0; from < contracts; from += batch) {
    const numbers = Array.from({ length: Math.min(batch, contracts - from) }, (_, index) => from + index);
    await insertBatch(db, numbers, orgs, { thresholds, more });
  }
  await sql`analyze`.execute(db);
}

async function insertBatch(
  db: Db,
  numbers: number[],
  orgs: string[],
  { thresholds, more }: { thresholds: number[]; more: Partial<RuleCondition> },
): Promise<void> {
  const ids = numbers.map(() => randomUUID());
  const targets = numbers.map(() => randomUUID());
  const orgIds = numbers.map((number) => orgs[number % orgs.length] as string);
  const condition = { operator: "gte", aggregation: "count", window_seconds: 60, ...more };
  const config = { event_signature: "Transfer(address indexed from, address indexed to, uint256 value)" };
  await sql`
    with given as (
      select * from unnest(${ids}::uuid[], ${targets}::uuid[], ${orgIds}::uuid[], ${numbers.map(addressOf)}::text[])
        as g (id, target_id, org_id, address)),
    made as (
      insert into contracts (id, org_id, chain, chain_id, address, label, status, created_at, updated_at)
      select id, org_id, 'local', 31337, address, 'Token', 'MONITORING', now(), now() from given),
    aimed as (
      insert into targets (id, org_id, contract_id, target_type, name, config, is_singleton, created_at, updated_at)
      select target_id, org_id, id, 'event_frequency', 'Transfers', ${JSON.stringify(config)}::jsonb, false, now(), now()
      from given)
    insert into alert_rules
      (id, org_id, contract_id, target_id, name, severity, condition, cooldown_seconds, created_at, updated_at)
    select gen_random_uuid(), org_id, id, target_id, 'Rule ' || n, 'warning',
      ${JSON.stringify(condition)}::jsonb || jsonb_build_object('threshold', threshold), 0, now(), now()
    from given, unnest(${thresholds}::int[]) with ordinality t (threshold, n)`.execute(db);
}

const topics: Hex[] = [transferTopic, pad(sender), pad(sender)];

/** The topics of a transfer to a numbered recipient. */
export function transferTo(recipient: number): Hex[] {
  return [transferTopic, pad(sender), pad(toHex(recipient + 1), { size: 32 })];
}

const data = pad("0x64");

/**
 * An in-process node that generates blocks on request, with a number of logs of which some are of monitored
 * contracts.
 */
export class InstantNode implements ChainReader {
  private readonly made = new Map<number, Block>();
  private readonly logs: number;
  private readonly addressAt: (height: number, index: number) => string;
  private readonly topicsAt: (height: number, index: number) => Hex[];
  tip = 100;

  constructor(
    logs: number,
    addressAt: (height: number, index: number) => string,
    topicsAt: (height: number, index: number) => Hex[] = () => topics,
  ) {
    this.logs = logs;
    this.addressAt = addressAt;
    this.topicsAt = topicsAt;
  }

  async head(): Promise<BlockRef> {
    return this.block(this.tip);
  }
  async blockRef(height: number): Promise<BlockRef> {
    return this.block(height);
  }
  async blocks(from: number, to: number): Promise<Block[]> {
    const blocks = Array.from({ length: to - from + 1 }, (_, index) => this.block(from + index));
    for (const height of this.made.keys()) if (height < from - 1) this.made.delete(height);
    return blocks;
  }
  async read(): Promise<ReadResult[]> {
    return [];
  }
  async finality() {
    return undefined;
  }
  async waitForHead(): Promise<void> {}
  async close(): Promise<void> {}

  private block(height: number): Block {
    const known = this.made.get(height);
    if (known) return known;
    const block = this.make(height);
    this.made.set(height, block);
    return block;
  }

  protected make(height: number): Block {
    const tx_hash = pad(toHex(height), { size: 32 });
    return {
      height,
      hash: hashOf(height),
      parent_hash: hashOf(height - 1),
      time: blockTimeOf(height),
      transactions: [],
      logs: Array.from({ length: this.logs }, (_, index) => ({
        address: this.addressAt(height, index),
        topics: this.topicsAt(height, index),
        data,
        tx_hash,
        tx_index: 0,
        log_index: index,
        position: index,
      })),
    };
  }
}

/** Blocks are two seconds apart. */
export function blockTimeOf(height: number): number {
  return 1_700_000_000 + height * 2;
}

function hashOf(height: number): Hex {
  return pad(toHex(height + 0x1000000), { size: 32 });
}
