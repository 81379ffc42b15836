import { encodeAbiParameters, type Hex, parseAbiParameters } from "viem";
import type { Subject } from "../../src/chains/activity.ts";
import type { ReadResult } from "../../src/chains/block.ts";
import type { Aggregation } from "../../src/meters/meter.ts";
import {
  alice,
  bob,
  contract,
  feedAnswers,
  hash,
  returned,
  solanaSubject,
  token,
  word,
} from "./scripted-activity.ts";

/** An event of a target type: what its meter read in two polls, or what was measured, with the evidence. */
export type Example = {
  type: string;
  config?: Record<string, unknown>;
  aggregation?: Aggregation;
  window_seconds?: number;
  subject?: Subject;
} & (
  | { results: ReadResult[]; before?: ReadResult[] }
  | {
      value?: number;
      evidence?: Record<string, unknown>;
      /** The reading before. */
      was?: { value: number; evidence?: Record<string, unknown> };
    }
);

const decoded = (name: string, args: Record<string, unknown>) => ({
  decoded: { name, signature: name, args: { ...args, ...byPosition(args) } },
});
const byPosition = (args: Record<string, unknown>) =>
  Object.fromEntries(Object.values(args).map((value, index) => [`$${index}`, value]));

/** The reads of a LayerZero route with a peer and required verifiers. */
const bridgeRoute = (peer: string, required: string[]): ReadResult[] => {
  const shape = "(uint64, uint8, uint8, uint8, address[], address[])";
  const config = encodeAbiParameters(parseAbiParameters(shape), [
    [15n, required.length, 0, 0, required as Hex[], []],
  ]);
  const library = "0xc02Ab410f0734EFa3F14628780e6e695156024C2";
  return [word(peer), returned("address, bool", library, true), returned("bytes", config)];
};

/** What a person reads after the name of the contract, by target type. */
export const examples: [Example, string][] = [
  [
    { type: "tx_rate", evidence: { from: alice, value: 0n, ...decoded("pause", {}) } },
    "call of pause() by 0x7099…79C8",
  ],
  [
    { type: "tx_rate", evidence: { from: alice, value: 0n, status: "failed" } },
    "failed transaction by 0x7099…79C8",
  ],
  [{ type: "revert_rate", value: 0.375, aggregation: "last" }, "37.5 % of the transactions of 5 min failed"],
  [{ type: "unique_callers", value: 1_234, aggregation: "last" }, "1,234 different callers in 5 min"],
  [
    {
      type: "event_frequency",
      config: { event_signature: "Withdrawal(address,uint256)" },
      evidence: { sender: alice, ...decoded("Withdrawal", { to: bob, amount: 1_500_000n }) },
    },
    "Withdrawal(to: 0x3C44…93BC, amount: 1,500,000) by 0x7099…79C8",
  ],
  [
    {
      type: "event_frequency",
      config: { event_signature: "Withdrawal(address,uint256)" },
      value: 12,
      window_seconds: 90,
    },
    "Withdrawal emitted 12 times in 1 min 30 s",
  ],
  [
    {
      type: "event_frequency",
      config: { event_signature: "Withdrawal(address,uint256)" },
      value: 1,
      evidence: { sender: alice, ...decoded("Withdrawal", { to: bob, amount: 1_500_000n }) },
      aggregation: "rate",
    },
    "Withdrawal emitted once a minute over 5 min",
  ],
  [
    {
      type: "event_value",
      config: { event_signature: "Swap(address,uint256 amount)", arg: "amount" },
      value: 2_500.5,
      aggregation: "max",
      evidence: { sender: alice },
    },
    "Swap with amount 2,500.5 by 0x7099…79C8",
  ],
  [
    {
      type: "function_call_rate",
      config: { function_signature: "setFee(uint256)" },
      evidence: { from: alice, value: 0n, ...decoded("setFee", { fee: 30n }) },
    },
    "setFee(fee: 30) called by 0x7099…79C8",
  ],
  [
    {
      type: "function_call_rate",
      config: { function_signature: "setFee(uint256)" },
      value: 2.5,
      aggregation: "rate",
    },
    "setFee called 2.5 times a minute over 5 min",
  ],
  [{ type: "inactivity", value: 7_320, aggregation: "last" }, "no activity for 2 h 2 min"],
  [
    {
      type: "activity_rhythm",
      value: 4.2,
      evidence: { usual_interval: 300 },
      aggregation: "last",
    },
    "no transaction for 21 min, usually every 5 min",
  ],
  [
    {
      type: "native_balance",
      before: [word(5n * 10n ** 18n)],
      results: [word(12_345_678n * 10n ** 9n)],
      aggregation: "last",
    },
    "balance fell from 5 ETH to 0.0123457 ETH",
  ],
  [{ type: "native_balance", results: [word(10n ** 18n)], aggregation: "last" }, "balance is 1 ETH"],
  [
    { type: "native_balance", results: [word(10n ** 18n)], before: [word(1n)], aggregation: "avg" },
    "balance has an average of 1 ETH in 5 min",
  ],
  [
    {
      type: "token_balance",
      config: { token, decimals: 6 },
      before: [returned("uint256", 2_000_000_000_000n)],
      results: [returned("uint256", 1_500_000_000_000n)],
      aggregation: "last",
    },
    "balance of the token 0xA0b8…eB48 fell from 2,000,000 to 1,500,000",
  ],
  [
    {
      type: "token_supply",
      config: { decimals: 0 },
      before: [returned("uint256", 900_000_000n)],
      results: [returned("uint256", 1_000_000_000n)],
      aggregation: "last",
    },
    "supply rose from 900,000,000 to 1,000,000,000",
  ],
  [
    {
      type: "large_transfer",
      config: { native: true },
      value: 250,
      aggregation: "max",
      evidence: { from: alice, to: contract, value: 250n, direction: "in" },
    },
    "received 250 ETH from 0x7099…79C8",
  ],
  [
    {
      type: "large_transfer",
      config: { token, decimals: 6 },
      value: 1_500,
      aggregation: "max",
      evidence: { token, from: contract, to: bob, sender: alice, direction: "out" },
    },
    "sent 1,500 tokens (0xA0b8…eB48) to 0x3C44…93BC by 0x7099…79C8",
  ],
  [
    {
      type: "large_transfer",
      config: { decimals: 6 },
      value: 1_500,
      aggregation: "max",
      evidence: { from: alice, to: bob, direction: "within" },
    },
    "1,500 tokens transferred from 0x7099…79C8 to 0x3C44…93BC",
  ],
  [
    { type: "gas_usage", value: 1_200_000, aggregation: "max", evidence: { from: alice, value: 0n } },
    "transaction by 0x7099…79C8 used 1,200,000 gas",
  ],
  [
    {
      type: "view_function",
      config: { signature: "totalDebt() view returns (uint256)", decimals: 18 },
      results: [returned("uint256", 12_500_000_000_000_000_000n)],
      aggregation: "last",
    },
    "totalDebt() returned 12.5",
  ],
  [
    {
      type: "view_function",
      config: { signature: "totalDebt() view returns (uint256)", decimals: 18 },
      before: [returned("uint256", 10n ** 19n)],
      results: [returned("uint256", 12_500_000_000_000_000_000n)],
      aggregation: "last",
    },
    "totalDebt() rose from 10 to 12.5",
  ],
  [
    {
      type: "view_function",
      config: { signature: "isFrozen() view returns (bool)" },
      before: [returned("bool", false)],
      results: [returned("bool", true)],
      aggregation: "last",
    },
    "isFrozen() changed: false → true",
  ],
  [
    {
      type: "view_function",
      config: { signature: "isFrozen() view returns (bool)" },
      results: [returned("bool", true)],
      aggregation: "last",
    },
    "isFrozen() returned true",
  ],
  [
    {
      type: "view_function",
      config: { signature: "guardian() view returns (address)" },
      before: [returned("address", alice)],
      results: [returned("address", bob)],
      aggregation: "last",
    },
    "guardian() changed: 0x7099…79C8 → 0x3C44…93BC",
  ],
  [
    {
      type: "view_function",
      config: { signature: "version() view returns (string)" },
      before: [returned("string", "1.0.0, the first release")],
      results: [returned("string", "")],
      aggregation: "last",
    },
    "version() changed: 1.0.0, the first release → an empty text",
  ],
  [
    {
      type: "view_function",
      config: { signature: "limits() view returns (uint256[])" },
      results: [returned("uint256[]", [1n, 2n])],
      aggregation: "last",
    },
    'limits() returned ["1","2"]',
  ],
  [
    {
      type: "storage_slot",
      config: { slot: 0, as: "address" },
      before: [word(alice)],
      results: [word(bob)],
      aggregation: "last",
    },
    "slot 0 changed: 0x7099…79C8 → 0x3C44…93BC",
  ],
  [
    {
      type: "storage_slot",
      config: { slot: 3 },
      before: [word(7n)],
      results: [word(5n)],
      aggregation: "last",
    },
    "slot 3 fell from 7 to 5",
  ],
  [
    {
      type: "proxy_implementation",
      evidence: { sender: alice, implementation: bob, previous_implementation: token, state: "x" },
      aggregation: "sum",
    },
    "upgraded by 0x7099…79C8: implementation 0xA0b8…eB48 → 0x3C44…93BC",
  ],
  [
    {
      type: "ownership_change",
      evidence: {
        sender: alice,
        ...decoded("OwnershipTransferred", { previousOwner: alice, newOwner: bob }),
      },
    },
    "ownership transferred from 0x7099…79C8 to 0x3C44…93BC by 0x7099…79C8",
  ],
  [
    {
      type: "ownership_change",
      evidence: decoded("RoleGranted", { role: hash(0), account: bob, sender: alice }),
    },
    "the admin role granted to 0x3C44…93BC",
  ],
  [
    {
      type: "configuration_change",
      evidence: { sender: alice, ...decoded("ValidatorAdded", { validator: bob }) },
    },
    "setting changed: ValidatorAdded(validator: 0x3C44…93BC) by 0x7099…79C8",
  ],
  [
    {
      type: "rare_event",
      config: { events: ["NewRouteAdded(uint32 routeId, address route)"] },
      evidence: { sender: alice, topic: hash(7), ...decoded("NewRouteAdded", { routeId: 2n, route: bob }) },
    },
    "NewRouteAdded(routeId: 2, route: 0x3C44…93BC) by 0x7099…79C8, which the contract hardly ever emits",
  ],
  [
    { type: "pause_state", evidence: decoded("Paused", { account: alice }), aggregation: "last" },
    "paused by 0x7099…79C8",
  ],
  [{ type: "pause_state", value: 0, aggregation: "last" }, "unpaused"],
  [
    {
      type: "oracle_price",
      before: [
        ...feedAnswers(190_000_000_000n, 8),
        returned("string", "ETH / USD"),
        returned("address", bob),
      ],
      results: [
        ...feedAnswers(180_125_000_000n, 8),
        returned("string", "ETH / USD"),
        returned("address", bob),
      ],
      aggregation: "last",
    },
    "price of ETH / USD fell from 1,900 to 1,801.25",
  ],
  [
    {
      type: "oracle_deviation",
      config: { reference_value: 1 },
      value: 3,
      evidence: { price: 0.97, reference: 1 },
      was: { value: 0.2, evidence: { price: 0.998, reference: 1 } },
      aggregation: "last",
    },
    "price fell from 0.998 to 0.97, 3 % below its reference 1",
  ],
  [
    { type: "oracle_staleness", value: 7_200, aggregation: "last" },
    "last price update 2 h ago, expected every 1 h",
  ],
  [
    {
      type: "tvl",
      config: { tokens: [{ token: "native", price: 1 }] },
      value: 1_234_567.891,
      aggregation: "last",
    },
    "total value locked is 1,234,567.89",
  ],
  [
    {
      type: "utilization",
      config: { preset: "compound_v3" },
      value: 0.9612,
      was: { value: 0.8 },
      aggregation: "last",
    },
    "96.1 % of the supply is borrowed, up from 80 %",
  ],
  [
    {
      type: "pool_imbalance",
      config: { pool_kind: "curve" },
      value: 0.9,
      was: { value: 0.55 },
      aggregation: "last",
    },
    "the largest asset is 90 % of the pool, up from 55 %",
  ],
  [
    { type: "pool_price", config: { pool_kind: "uniswap_v2" }, value: 2500, aggregation: "last" },
    "price in the pool is 2,500",
  ],
  [
    {
      type: "bridge_config",
      config: { eids: [30101] },
      before: bridgeRoute(alice, [alice, bob]),
      results: bridgeRoute(bob, [bob]),
      aggregation: "last",
    },
    "route from endpoint 30101: peer 0x7099…79C8 → 0x3C44…93BC, required verifier 0x7099…79C8 removed; now needs 1 verifier",
  ],
  [
    {
      type: "bridge_config",
      config: { eids: [30101] },
      value: 1,
      evidence: { weakest: { eid: 30101 } },
      aggregation: "last",
    },
    "the route from endpoint 30101 needs 1 verifier",
  ],
  [
    {
      type: "governance_proposal",
      evidence: decoded("ProposalCreated", {
        proposalId: 12n,
        proposer: alice,
        description: "Raise the cap\nBecause",
      }),
    },
    "new proposal by 0x7099…79C8: Raise the cap",
  ],
  [{ type: "timelock_delay", value: 172_800, aggregation: "last" }, "minimum delay is 2 d"],
  [
    { type: "anomaly_detection", value: 7.5, aggregation: "last" },
    "unusual number of transactions in the last minute: 7.5 deviations from normal",
  ],
  [
    {
      type: "solana_instruction",
      config: { name: "withdraw" },
      evidence: { from: solanaSubject.address, value: 0n, ...decoded("withdraw", { amount: 5n }) },
      subject: solanaSubject,
    },
    "withdraw(amount: 5) by Toke…Q5DA",
  ],
  [
    { type: "solana_event", config: { event_name: "Liquidated" }, value: 3, subject: solanaSubject },
    "Liquidated 3 times in 5 min",
  ],
  [
    { type: "solana_program_upgrade", evidence: { state: "250000000" }, subject: solanaSubject },
    "program upgraded in slot 250000000",
  ],
  [
    {
      type: "solana_authority_change",
      evidence: { state: "none", previous_state: solanaSubject.address },
      subject: solanaSubject,
    },
    "authority changed: Toke…Q5DA → none",
  ],
  [
    {
      type: "solana_delegation",
      evidence: {
        granted: "delegate",
        account: solanaSubject.address,
        to: solanaSubject.address,
        amount: "5000000",
        decimals: 6,
        sender: solanaSubject.address,
      },
      subject: solanaSubject,
    },
    "delegate Toke…Q5DA of the token account Toke…Q5DA may move 5 tokens, granted by Toke…Q5DA",
  ],
  [
    {
      type: "solana_priority_fee",
      value: 2_500_000,
      aggregation: "max",
      evidence: { sender: solanaSubject.address },
      subject: solanaSubject,
    },
    "transaction by Toke…Q5DA offered 2,500,000 micro-lamports per compute unit",
  ],
  [
    {
      type: "account_field",
      config: { field: "vault.admin" },
      evidence: { state: solanaSubject.address, previous_state: "none" },
      subject: solanaSubject,
    },
    "vault.admin changed: none → Toke…Q5DA",
  ],
];
