import type { Subject } from "../../src/chains/activity.ts";
import { meters } from "../../src/meters/index.ts";
import type { Meter } from "../../src/meters/meter.ts";
import { alice, hash, solanaSubject, subject, token } from "./scripted-activity.ts";

/** Configs of the meters that need one; the others are tested with an empty config. */
const configs: Record<string, Record<string, unknown>[]> = {
  event_frequency: [{ event_signature: "Transfer(address,address,uint256)", filter: "value > 5" }],
  event_value: [{ event_signature: "Transfer(address,address,uint256)", arg: "value" }],
  function_call_rate: [{ function_signature: "transfer(address,uint256)", filter: "$1 > 5" }],
  token_balance: [{ token }, { token, holder: alice, decimals: 6 }],
  large_transfer: [{ decimals: 6 }, { token, decimals: 6 }, { native: true }],
  view_function: [
    { signature: "f()(uint256)", decimals: 18 },
    { signature: "f(address)(string,uint256[])", args: [alice], output_index: 1 },
  ],
  storage_slot: [{ slot: "5" }, { slot: "0x5", as: "address" }],
  proxy_implementation: [{}, { beacon: alice }],
  rare_event: [{ events: ["RouteAdded(address)"], topics: [`0x${"1".repeat(64)}`] }],
  configuration_change: [
    { functions: ["oracle() view returns (address)"], events: ["StrategyReplaced(address,address)"] },
  ],
  oracle_deviation: [{ reference_value: 1 }, { reference_feed: alice }],
  tvl: [
    {
      tokens: [
        { token: "native", price: 3 },
        { token, price_feed: alice },
      ],
    },
  ],
  utilization: [
    { preset: "compound_v3" },
    { preset: "aave_v3", asset: token, data_provider: alice },
    { borrow_function: "totalBorrow()", supply_function: "totalSupply()" },
  ],
  pool_imbalance: [
    { pool_kind: "uniswap_v2", decimals: [6, 18] },
    { pool_kind: "curve", coins: 3 },
    { pool_kind: "balancer", pool_id: hash(1) },
  ],
  pool_price: [{ pool_kind: "uniswap_v2", decimals: [18, 6] }, { pool_kind: "uniswap_v3" }],
  bridge_config: [{ eids: [30101, 30110] }],
  solana_instruction: [{ name: "transfer", filter: "amount > 5" }, { discriminator: "0xA9059CBB" }],
  account_field: [
    { field: "config.fee_bps", decimals: 2 },
    { account: solanaSubject.address, field: "admin" },
  ],
  solana_event: [{ event_name: "Transfer" }, { event_name: "text", match: "log" }],
};

/** Every meter with one or more valid configs. */
export const cases = meters.flatMap((meter) =>
  (configs[meter.type] ?? [{}]).map((input) => ({
    type: meter.type,
    meter,
    config: meter.config.parse(input),
    input,
  })),
);

/** The contract or program that a meter is tested on. */
export function subjectOf(meter: Meter): Subject {
  return meter.families.includes("evm") ? subject : solanaSubject;
}
