import { encodeAbiParameters, type Hex, keccak256, pad, toHex } from "viem";
import { expect, test } from "vitest";
import type { AlertTemplate, TemplatesApplied } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import { post } from "../detection/protection.ts";
import { sourcifyNotFound, startServiceStub } from "../inspection/service-stubs.ts";
import { makeChainWorld } from "./world.ts";

/** How often the rules of templates would have fired, estimated from the chain before their targets measured anything. */

const { url } = await startServiceStub(() => sourcifyNotFound);
const { node, owner, catchUp } = await makeChainWorld({
  SOURCIFY_URL: url,
  ETHERSCAN_URL: url,
  SIGNATURES_URL: url,
});
const { client } = owner;
const hour = 3_600;

const transfer = "Transfer(address indexed from, address indexed to, uint256 value)";
const absorbDebt =
  "AbsorbDebt(address indexed absorber, address indexed borrower, uint256 basePaidOut, uint256 usdValue)";
const abi = [`event ${transfer}`, `event ${absorbDebt}`, "function totalSupply() view returns (uint256)"];

/** Emits a log with the three topics and the data that it is called with. */
const emitter: Hex = ("0x601780600b6000396000f36040356020356000356060360380606060003760" + "00a300") as Hex;

async function deployEmitter() {
  const { contractAddress } = await node.transact({ data: emitter });
  const to = contractAddress as Hex;
  const emit = async (signature: string, second: number, words: readonly bigint[]) => {
    const types = signature.replaceAll(/ indexed| \w+(?=[,)])/g, "").replaceAll(" ", "");
    const data = encodeAbiParameters(
      words.map(() => ({ type: "uint256" as const })),
      words,
    );
    const topics = [keccak256(toHex(types)), pad(toHex(1)), pad(toHex(second + 1))];
    const { status } = await node.transact({
      to,
      data: `0x${[...topics, data].map((one) => one.slice(2)).join("")}`,
    });
    if (status !== "success") throw new Error("The log was not emitted.");
  };
  return {
    address: to,
    transferTo: (recipient: number) => emit(transfer, recipient, [100n]),
    liquidate: () => emit(absorbDebt, 0, [1n, 1n]),
  };
}

/** Registers the contract and returns what a dry run of templates says. */
async function estimate(address: string, ...template_ids: string[]) {
  await catchUp();
  const contract = await post<Contract>(client, "/contracts", { chain: "local", address, abi });
  const channel = { type: "webhook", name: "On-call", config: { url: "https://example.com/hook" } };
  const { id: channel_id } = await post<{ id: string }>(client, "/channels", channel);
  const path = `/contracts/${contract.id}/alert-templates/apply`;
  const { rules } = await post<TemplatesApplied>(client, path, { channel_id, template_ids, dry_run: true });
  return { id: contract.id, rules: Object.fromEntries(rules.map((rule) => [rule.template_id, rule])) };
}

const spanOf = ({ estimated_from }: Pick<AlertTemplate, "estimated_from">) =>
  estimated_from ? (Date.parse(estimated_from.to) - Date.parse(estimated_from.from)) / 1000 : 0;

test("a rule that counts over a window is in shadow mode if bursts of past events would have fired it", async () => {
  const market = await deployEmitter();
  for (let burst = 0; burst < 9; burst++) {
    await node.wait(6 * hour);
    for (let liquidation = 0; liquidation < 5; liquidation++) await market.liquidate();
  }
  const { rules, id } = await estimate(market.address, "lending_liquidation_spike");
  const spike = rules.lending_liquidation_spike;
  expect(spike).toMatchObject({
    mode: "shadow",
    reason: expect.stringMatching(/^On the last 1 d 2\d h of the contract's past.*times a day/),
    estimated_from: { source: "chain", blocks: expect.any(Number) },
    estimate_problem: null,
  });
  expect(spike?.fires_per_day).toBeGreaterThan(3.5);
  expect(spike?.fires_per_day).toBeLessThan(4.5);
  expect(spike && spanOf(spike)).toBeGreaterThan(46 * hour);
  const query = { category: "lending" };
  const listed = (await client.get(`/contracts/${id}/alert-templates`, { query })).body as AlertTemplate[];
  expect(listed.find((one) => one.id === "lending_liquidation_spike")).toMatchObject({
    fires_per_day: spike?.fires_per_day,
    estimated_from: { source: "chain" },
  });
});

test("single past events do not fire a rule that counts five within minutes", async () => {
  const market = await deployEmitter();
  for (let liquidation = 0; liquidation < 9; liquidation++) {
    await node.wait(6 * hour);
    await market.liquidate();
  }
  const { rules } = await estimate(market.address, "lending_liquidation_spike");
  expect(rules.lending_liquidation_spike).toMatchObject({ mode: "live", fires_per_day: 0 });
});

test("a rule with groups counts the past events of each group individually", async () => {
  const [toOne, toMany] = [await deployEmitter(), await deployEmitter()];
  for (let burst = 0; burst < 6; burst++) {
    await node.wait(8 * hour);
    for (let sent = 0; sent < 12; sent++) {
      await toOne.transferTo(0);
      await toMany.transferTo(sent);
    }
  }
  const one = (await estimate(toOne.address, "token_many_transfers")).rules.token_many_transfers;
  expect(one).toMatchObject({ mode: "shadow", estimated_from: { source: "chain" } });
  expect(one?.fires_per_day).toBeGreaterThan(2.5);
  const many = (await estimate(toMany.address, "token_many_transfers")).rules.token_many_transfers;
  expect(many).toMatchObject({ mode: "live", fires_per_day: 0 });
});

test("a past that is too short, or that shows nothing, is said to be so instead of no noise", async () => {
  const market = await deployEmitter();
  await market.liquidate();
  await node.wait(4 * hour);
  await market.liquidate();
  const young = await estimate(market.address, "lending_liquidation_spike", "token_supply_jump");
  expect(young.rules.lending_liquidation_spike).toMatchObject({
    ...{ mode: "live", fires_per_day: null, estimated_from: { source: "chain" } },
    estimate_problem: expect.stringMatching(/would not have fired.*2 h 5\d min.*too short/),
  });
  expect(young.rules.token_supply_jump).toMatchObject({
    ...{ fires_per_day: null, estimated_from: null },
    estimate_problem: expect.stringMatching(/do not show what the rule measures.*stays quiet until/),
  });
  const unused = await deployEmitter();
  const { rules } = await estimate(unused.address, "lending_liquidation_spike");
  expect(rules.lending_liquidation_spike).toMatchObject({
    ...{ mode: "live", fires_per_day: null, estimated_from: null },
    estimate_problem: expect.stringMatching(/emitted no events/),
  });
});

test("a contract that began an hour ago has a past that is too short", async () => {
  const market = await deployEmitter();
  await market.liquidate();
  await node.wait(1.5 * hour);
  await market.liquidate();
  const { rules } = await estimate(market.address, "lending_liquidation_spike");
  expect(rules.lending_liquidation_spike).toMatchObject({
    ...{ mode: "live", fires_per_day: null, estimated_from: null },
    estimate_problem: expect.stringMatching(/known past of the contract covers 2\d min.*too short/),
  });
});
