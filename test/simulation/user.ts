import { toHex } from "viem";
import { parseAddress } from "../../src/chains/evm/values/address.ts";
import type { Dice } from "../pipeline/dice.ts";
import type { OtherCount, PlainRule } from "../pipeline/oracle.ts";
import { transferTopic } from "../pipeline/scripted-chain.ts";
import { transferSignature } from "../pipeline/world.ts";
import { otherCondition } from "../simchain/watch.ts";
import { balanceThreshold, balanceWindow, type Watched, type WatchedBalance } from "./compare-store.ts";
import type { ExpectedHistory } from "./expected-history.ts";
import type { Lane } from "./lane.ts";

/** A rule and its contract as the user knows them. */
type Known = { id: string; contract: Watched; version: number; isEnabled: boolean };

/** Registers contracts and rules through the API and changes them, and records in the expected history what was changed. */
export class SimulatedUser {
  readonly contracts: Watched[] = [];
  private readonly lane: Lane;
  private readonly dice: Dice;
  private readonly history: ExpectedHistory;
  private rules: Known[] = [];
  private readonly paused = new Set<string>();

  constructor(lane: Lane, dice: Dice, history: ExpectedHistory) {
    this.lane = lane;
    this.dice = dice;
    this.history = history;
  }

  async register(seed: number): Promise<void> {
    for (let part = 1; part <= 2; part++) {
      const address = parseAddress(toHex(BigInt(seed) * 1000n + BigInt(part), { size: 20 })) as string;
      await this.registerContract(address, this.dice.chance(0.6));
      for (let count = this.dice.between(1, 2); count > 0; count--) await this.addRule();
    }
  }

  /** Makes one change at random. */
  async change(): Promise<string> {
    const rule = this.rules.length > 0 ? this.dice.pick(this.rules) : undefined;
    const kind = this.dice.pick(["add", "edit", "edit", "edit", "disable", "delete", "pause", "rename"]);
    if (kind === "pause") await this.pauseOrResume(this.dice.pick(this.contracts));
    else if (!rule || kind === "add") await this.addRule();
    else if (kind === "edit") await this.edit(rule);
    else if (kind === "disable") await this.enableOrDisable(rule);
    else if (kind === "delete") await this.remove(rule);
    else await this.request("PATCH", `/alerts/${rule.id}`, { name: `Renamed ${this.dice.between(1, 99)}` });
    return kind;
  }

  private async registerContract(address: string, readsBalance: boolean): Promise<void> {
    const selected_targets = [
      { target_type: "event_frequency", config: { event_signature: transferSignature } },
      ...(readsBalance ? [{ target_type: "native_balance" }] : []),
    ];
    const body = { chain: "local", address, selected_targets };
    const { id } = await this.request<{ id: string }>("POST", "/contracts", body);
    const targets = await this.request<{ id: string; target_type: string }[]>(
      "GET",
      `/contracts/${id}/targets`,
    );
    const idOf = (type: string) => targets.find(({ target_type }) => target_type === type)?.id;
    const target_id = idOf("event_frequency") as string;
    const balance_id = idOf("native_balance");
    const balance = balance_id ? await this.watchBalance(balance_id) : undefined;
    this.contracts.push({ contract_id: id, address, target_id, balance });
    this.history.addContract(id);
  }

  private async watchBalance(target_id: string): Promise<WatchedBalance> {
    const add = async (condition: object) => {
      const { id } = await this.request<{ id: string }>("POST", "/alerts", {
        ...{ target_id, condition, severity: "info", channel_ids: [this.lane.channel_id] },
        ...{ cooldown_seconds: 0, resolve_after_seconds: 0 },
      });
      return id;
    };
    return {
      target_id,
      above_rule: await add({ operator: "gt", threshold: balanceThreshold, window_seconds: balanceWindow }),
      change_rule: await add({ operator: "changed", aggregation: "each" }),
    };
  }

  private async addRule(): Promise<void> {
    const contract = this.dice.pick(this.contracts);
    const { plain, body } = this.drawRule(contract);
    const { id } = await this.request<{ id: string }>("POST", "/alerts", {
      ...body,
      target_id: contract.target_id,
      severity: "info",
      cooldown_seconds: 0,
      confirmations: this.dice.pick([null, null, null, 2]),
      channel_ids: [this.lane.channel_id],
    });
    this.rules.push({ id, contract, version: 1, isEnabled: true });
    this.record(this.rules.at(-1) as Known, { ...plain, id });
  }

  private async edit(rule: Known): Promise<void> {
    // Durations stay as they are: they are not part of the meaning that a version has.
    const { forSeconds, resolveAfter } = this.currentRule(rule);
    const { plain, body } = this.drawRule(rule.contract, forSeconds === 0);
    await this.request("PATCH", `/alerts/${rule.id}`, { condition: body.condition });
    await this.recordNewVersion(rule, { ...plain, id: rule.id, forSeconds, resolveAfter });
  }

  private async enableOrDisable(rule: Known): Promise<void> {
    rule.isEnabled = !rule.isEnabled;
    await this.request("PATCH", `/alerts/${rule.id}`, { is_enabled: rule.isEnabled });
    await this.recordNewVersion(rule, this.currentRule(rule));
  }

  private currentRule({ id }: Known): PlainRule {
    const version = this.history.currentVersion(id);
    if (!version) throw new Error(`The rule ${id} was deleted.`);
    return version.rule;
  }

  /** The same condition again does not start a new version. */
  private async recordNewVersion(rule: Known, plain: PlainRule): Promise<void> {
    const { db } = this.lane.h.app;
    const { version } = await db
      .selectFrom("alert_rules")
      .select("version")
      .where("id", "=", rule.id)
      .executeTakeFirstOrThrow();
    if (version === rule.version) return;
    rule.version = version;
    this.record(rule, plain);
  }

  private async remove(rule: Known): Promise<void> {
    await this.request("DELETE", `/alerts/${rule.id}`);
    this.rules = this.rules.filter(({ id }) => id !== rule.id);
    this.history.setRule(rule.id, rule.contract.contract_id, undefined);
  }

  private async pauseOrResume({ contract_id }: Watched): Promise<void> {
    const action = this.paused.delete(contract_id) ? "resume" : "pause";
    if (action === "pause") this.paused.add(contract_id);
    await this.request("POST", `/contracts/${contract_id}/${action}`);
  }

  private record(rule: Known, plain: PlainRule): void {
    const version = {
      number: rule.version,
      rule: plain,
      isMatching: plain.amount > 0n || plain.groupBy !== undefined,
    };
    this.history.setRule(rule.id, rule.contract.contract_id, version);
  }

  private drawRule({ address, target_id }: Watched, mayBeEach = true) {
    const { dice } = this;
    const isEach = mayBeEach && dice.chance(0.3);
    const kind = dice.pick(["plain", "plain", "grouped", "grouped", "combined"]);
    const other: OtherCount | undefined =
      kind === "combined"
        ? {
            // Other conditions of an each rule must all hold.
            combines: isEach ? "all" : dice.pick(["all", "any"] as const),
            topic: transferTopic,
            threshold: dice.between(1, 6),
            window: dice.pick([60, 120, 300]),
          }
        : undefined;
    const plain: PlainRule = {
      id: "",
      isEach,
      address,
      topic: transferTopic,
      threshold: isEach ? 1 : dice.between(1, 4),
      amount: BigInt(dice.pick([0, 0, 50])),
      window: dice.pick([60, 60, 90, 300]),
      forSeconds: isEach ? 0 : dice.pick([0, 0, 0, 12, 36]),
      resolveAfter: dice.pick([0, 0, 24]),
      groupBy: kind === "grouped" ? "value" : undefined,
      other,
    };
    const match = { events: [{ signature: transferSignature, expression: `value >= ${plain.amount}` }] };
    const body = {
      for_seconds: plain.forSeconds,
      resolve_after_seconds: plain.resolveAfter,
      condition: {
        operator: "gte",
        threshold: plain.threshold,
        window_seconds: plain.window,
        aggregation: isEach ? "each" : "count",
        ...(plain.amount > 0n && { match }),
        ...(plain.groupBy && { group_by: `args.${plain.groupBy}` }),
        ...(other && { [other.combines]: [otherCondition(other, target_id)] }),
      },
    };
    return { plain, body };
  }

  private async request<Body = unknown>(method: string, path: string, body?: object): Promise<Body> {
    const { client } = this.lane.owner;
    const reply = await client.request(method, path, body);
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body as Body;
  }
}
