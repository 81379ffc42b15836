import { describe, expect, it } from "vitest";
import { compileAbi } from "../chains/evm/abi/abi.ts";
import { emptyProfile, type Profile } from "../inspection/profile/profile.ts";
import { meterOf } from "../meters/index.ts";
import { type Fit, fitTemplate } from "./fit-template.ts";
import { templates } from "./index.ts";
import { type ContractFacts, categories, type Template } from "./template.ts";

const unknown: ContractFacts = {
  kind: "evm",
  contract_type: "unknown",
  profile: undefined,
  is_proxy: undefined,
  events: undefined,
  functions: undefined,
  targets: [],
};

function knownBy(...abi: string[]): ContractFacts {
  const read = compileAbi(abi);
  if (!read.ok) throw new Error(read.problem);
  return { ...unknown, is_proxy: false, events: read.abi.events, functions: read.abi.functions };
}

function templateOf(id: string): Template {
  const template = templates.find((template) => template.id === id);
  if (!template) throw new Error(`no template ${id}`);
  return template;
}

function fitOf(template: Template, facts: ContractFacts): Fit {
  const [fit, ...others] = fitTemplate(template, facts);
  if (!fit || others.length > 0) throw new Error(`${template.id} has ${others.length + 1} rules`);
  return fit;
}

const reasonOf = (id: string, facts: ContractFacts) => fitOf(templateOf(id), facts).reason;

describe("the templates", () => {
  it("have unique ids, and every category has templates", () => {
    expect(new Set(templates.map(({ id }) => id)).size).toBe(templates.length);
    expect(new Set(templates.flatMap(({ category, alsoIn = [] }) => [category, ...alsoIn]))).toEqual(
      new Set(categories),
    );
  });

  it.each(templates)("$id has a config that its meter accepts, or requires a target", (template) => {
    const meter = meterOf(template.target_type);
    expect(meter).toBeDefined();
    if (template.target_config === null) {
      expect(fitOf(template, unknown).reason).toMatch(/Add a|not known yet/);
      return;
    }
    const parsed = meter?.config.safeParse(template.target_config);
    expect(parsed?.error).toBeUndefined();
    expect(meter?.configProblem?.(parsed?.data ?? {})).toBeUndefined();
  });

  it.each(templates)("$id is not available on Solana unless its meter is", (template) => {
    const { reason } = fitOf(template, { ...unknown, kind: "solana" });
    if (!meterOf(template.target_type)?.families.includes("solana"))
      expect(reason).toMatch(/on solana chains/);
  });
});

describe("fitting a template", () => {
  it("accepts a contract with an unknown ABI", () => {
    for (const id of ["lending_paused", "gov_upgrade", "gov_timelock_queued", "oracle_stale"])
      expect([id, reasonOf(id, unknown)]).toEqual([id, undefined]);
  });

  it("requires the function", () => {
    expect(reasonOf("gov_safe_threshold", knownBy("function getThreshold()"))).toBeUndefined();
    expect(reasonOf("gov_safe_threshold", knownBy("function paused()"))).toMatch(/no function getThreshold/);
    expect(reasonOf("gov_timelock_delay_cut", knownBy("function delay()"))).toBeUndefined();
  });

  it("requires the event if the events are known", () => {
    const facts = knownBy("function transfer(address,uint256)");
    expect(reasonOf("gov_ownership_change", facts)).toMatch(/no event OwnershipTransferred/);
    expect(reasonOf("gov_ownership_change", { ...facts, events: undefined })).toBeUndefined();
    const owned = knownBy("event OwnershipTransferred(address indexed a, address indexed b)");
    expect(reasonOf("gov_ownership_change", owned)).toBeUndefined();
  });

  it("accepts either the function or the event for pausing", () => {
    expect(reasonOf("lending_paused", knownBy("event Paused(address account)"))).toBeUndefined();
    expect(reasonOf("lending_paused", knownBy("function paused()"))).toBeUndefined();
    expect(reasonOf("lending_paused", knownBy("function transfer(address,uint256)"))).toMatch(
      /no function paused/,
    );
  });

  it("distinguishes a Compound III market from a pool with a function of the same name", () => {
    expect(reasonOf("lending_bad_debt", knownBy("function getReserves()"))).toMatch(/getUtilization/);
    expect(
      reasonOf("lending_bad_debt", knownBy("function getReserves()", "function getUtilization()")),
    ).toBeUndefined();
  });

  it("requires a proxy for upgrades unless that is unknown", () => {
    expect(reasonOf("gov_upgrade", { ...unknown, is_proxy: false })).toBe("The contract is not a proxy.");
    expect(reasonOf("gov_upgrade", { ...unknown, is_proxy: true })).toBeUndefined();
    expect(
      reasonOf("gov_upgrade", knownBy("event Upgraded(address indexed implementation)")),
    ).toBeUndefined();
  });

  it("uses the config of the existing target", () => {
    const config = { tokens: [{ token: "native", price: 1 }] };
    const facts = { ...knownBy("function f()"), targets: [{ target_type: "tvl", config, last_value: 5 }] };
    expect(fitOf(templateOf("lending_tvl_drop"), facts)).toMatchObject({ config, reason: undefined });
  });

  it("adapts the threshold to the heartbeat of the existing target", () => {
    const target = {
      target_type: "oracle_staleness",
      config: { heartbeat_seconds: 86_400 },
      last_value: null,
    };
    const fit = fitOf(templateOf("oracle_stale"), { ...unknown, targets: [target] });
    expect(fit.condition.threshold).toBe(88_188);
    expect(fitOf(templateOf("oracle_stale"), unknown).condition.threshold).toBe(3732);
  });

  it("recommends the depeg template for assets, and not for a currency whose price is above the band", () => {
    const at = (last_value: number) => ({
      ...unknown,
      targets: [{ target_type: "oracle_price", config: {}, last_value }],
    });
    const { isRecommended } = templateOf("oracle_depeg");
    expect([0.97, 1, 1.08].map((price) => isRecommended?.(at(price)))).toEqual([true, true, false]);
  });

  it("watches the settings, the pause and the liquidations that a contract names in its own way", () => {
    const facts = (parts: Partial<Profile>): ContractFacts => ({
      ...unknown,
      profile: { ...emptyProfile, ...parts },
    });
    const settings = { events: ["StrategyReplaced(address from, address to)"], functions: [] };
    expect(fitOf(templateOf("gov_setting_changed"), facts({ settings }))).toMatchObject({
      config: { events: settings.events },
      reason: undefined,
    });
    expect(reasonOf("gov_setting_changed", facts({}))).toMatch(/no known event or function/);
    const halted = facts({ selectors: ["0xb9b8af0b"] });
    expect(fitOf(templateOf("lending_paused"), halted).config).toEqual({ function: "halted()" });
    const liquidations = [{ event: "LoanLiquidated(address,address,uint256,uint256)", peak: 9 }];
    const burst = fitOf(templateOf("lending_liquidation_spike"), facts({ liquidations }));
    expect(burst).toMatchObject({ key: "LoanLiquidated", condition: { threshold: 18 } });
    expect(burst.source).toMatch(/at most 9/);
    const market = {
      kind: "own" as const,
      borrow_function: "totalBorrowed()",
      supply_function: "totalDeposited()",
    };
    expect(fitOf(templateOf("lending_utilization_max"), facts({ market })).config).toEqual({
      borrow_function: "totalBorrowed()",
      supply_function: "totalDeposited()",
    });
  });

  it("requires a price near 1 for the depeg template", () => {
    const at = (last_value: number | null) => ({
      ...unknown,
      targets: [{ target_type: "oracle_price", config: {}, last_value }],
    });
    expect(reasonOf("oracle_depeg", unknown)).toMatch(/not read yet/);
    expect(reasonOf("oracle_depeg", at(null))).toMatch(/not read yet/);
    expect(reasonOf("oracle_depeg", at(2500))).toMatch(/not near 1/);
    expect(reasonOf("oracle_depeg", at(0.97))).toBeUndefined();
  });
});
