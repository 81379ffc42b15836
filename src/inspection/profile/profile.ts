import { z } from "zod";

const Asset = z.object({
  token: z.string(),
  symbol: z.string().nullable(),
  decimals: z.number(),
  /** The contract that holds it for the inspected one, such as the deposit token of a lending pool. */
  holder: z.string().optional(),
  /** True for ERC-721 tokens, which have no decimals. */
  is_collectible: z.literal(true).optional(),
  /** The largest share of the balance that left within ten minutes in the recent past; undefined if too little happened. */
  outflow: z.number().optional(),
  /** The same within a day. */
  outflow_of_day: z.number().optional(),
  /** The number of transfers from it in the same past. */
  outflows: z.number().optional(),
  /** The largest share by which the balance rose within ten minutes in the same past, without how it began. */
  inflow: z.number().optional(),
  /** How often more than 30 % of the balance left within ten minutes, in the span of block time that its transfers cover. */
  drains: z.object({ count: z.number(), from: z.number(), to: z.number(), blocks: z.number() }).optional(),
});

/** A token that a contract holds. */
export type Asset = z.infer<typeof Asset>;

const Feed = z.object({
  heartbeat_seconds: z.number(),
  /** The number of rounds from which the heartbeat was learned. */
  rounds: z.number(),
  /** How much later than the heartbeat updates came at most; undefined if too few waited for it. */
  late_seconds: z.number().optional(),
  price: z.number().optional(),
  /** The contract whose events report the prices. */
  aggregator: z.string().optional(),
});

const Pool = z.object({
  kind: z.enum(["uniswap_v2", "uniswap_v3", "curve"]),
  /** The decimals of the assets, in the order of the pool. */
  decimals: z.array(z.number()),
  /** The share of the largest asset of a pool of assets with equal value. */
  largest_share: z.number().optional(),
});

const Market = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("compound_v2") }),
  z.object({ kind: z.literal("compound_v3") }),
  /** A market of its own design, with the functions that return its totals. */
  z.object({ kind: z.literal("own"), borrow_function: z.string(), supply_function: z.string() }),
  z.object({
    kind: z.literal("aave_v3"),
    data_provider: z.string(),
    assets: z.array(z.string()),
    /** The deposit tokens, which hold the assets, in their order. */
    holders: z.array(z.string().nullable()).default([]),
  }),
]);

const Account = z.object({
  kind: z.enum(["program", "mint", "token_account", "oracle_feed", "multisig", "nonce", "wallet", "other"]),
  /** True if someone can change the program, the mint, the token account or the durable nonce. */
  has_authority: z.boolean(),
  /** Who can upgrade the program, as the subject of a sentence; undefined if nobody can. */
  upgraded_by: z.string().optional(),
});

/** What an inspection learned of a contract that targets and thresholds follow. It is stored with the contract. */
export const Profile = z.object({
  /** The selectors of all functions, with or without a known name. */
  selectors: z.array(z.string()).default([]),
  /** The constants in the code that may be topics of events. */
  topics: z.array(z.string()).default([]),
  /** The tokens that it holds, at most twelve. */
  assets: z.array(Asset).default([]),
  holds_native: z.boolean().default(false),
  /** The native balance, in units. */
  native_balance: z.number().default(0),
  /** Decimals and total supply of a token, in token units. */
  token: z.object({ decimals: z.number(), supply: z.number() }).nullable().default(null),
  /** The decimals of the shares of a vault and of its asset. */
  vault: z.object({ share_decimals: z.number(), asset_decimals: z.number() }).nullable().default(null),
  /** The spenders and recipients that many holders of a token use, such as exchanges: at most 24 each. */
  usual: z
    .object({
      spenders: z.array(z.string()),
      recipients: z.array(z.string()),
      /** The largest number of approvals of one other spender, and of transfers to one other recipient, within ten minutes. */
      spender_peak: z.number().default(0),
      recipient_peak: z.number().default(0),
      /** The largest share of the supply that was minted within an hour; undefined if too little happened. */
      minted: z.number().optional(),
    })
    .nullable()
    .default(null),
  /** Events and functions of the contract that show changes of its settings, beside the standard ones. */
  settings: z
    .object({ events: z.array(z.string()), functions: z.array(z.string()) })
    .nullable()
    .default(null),
  /** Events that the contract can emit and did not emit in its past, as declarations or topics; null if it shows too little. */
  rare: z
    .object({ events: z.array(z.string()), topics: z.array(z.string()) })
    .nullable()
    .default(null),
  /** Events of liquidations beside the standard ones, with the most of them that came within five minutes. */
  liquidations: z.array(z.object({ event: z.string(), peak: z.number() })).default([]),
  /** The function that returns the value of a share, or of a token that grows in value. */
  rate: z.string().nullable().default(null),
  feed: Feed.nullable().default(null),
  /** The function of an oracle without rounds that returns its price, and the decimals of the price. */
  price_source: z.object({ function: z.string(), decimals: z.number() }).nullable().default(null),
  pool: Pool.nullable().default(null),
  market: Market.nullable().default(null),
  /** What a Solana address is; null on other chains. */
  account: Account.nullable().default(null),
});
export type Profile = z.infer<typeof Profile>;

/** The profile of a contract of which nothing is known. */
export const emptyProfile: Profile = Profile.parse({});
