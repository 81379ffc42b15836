import { z } from "zod";

const Asset = z.object({
  token: z.string(),
  symbol: z.string().nullable(),
  decimals: z.number(),
});

/** A token that a contract holds. */
export type Asset = z.infer<typeof Asset>;

const Feed = z.object({
  heartbeat_seconds: z.number(),
  /** The number of rounds from which the heartbeat was learned. */
  rounds: z.number(),
});

const Pool = z.object({
  kind: z.enum(["uniswap_v2", "uniswap_v3", "curve"]),
  /** The decimals of the assets, in the order of the pool. */
  decimals: z.array(z.number()),
});

const Market = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("compound_v2") }),
  z.object({ kind: z.literal("compound_v3") }),
  z.object({ kind: z.literal("aave_v3"), data_provider: z.string(), assets: z.array(z.string()) }),
]);

/** What an inspection learned of a contract that targets and thresholds follow. It is stored with the contract. */
export const Profile = z.object({
  /** The selectors of all functions, with or without a known name. */
  selectors: z.array(z.string()).default([]),
  /** The constants in the code that may be topics of events. */
  topics: z.array(z.string()).default([]),
  /** The tokens that it holds, at most eight. */
  assets: z.array(Asset).default([]),
  holds_native: z.boolean().default(false),
  /** Decimals and total supply of a token, in token units. */
  token: z.object({ decimals: z.number(), supply: z.number() }).nullable().default(null),
  /** The decimals of the shares of a vault and of its asset. */
  vault: z.object({ share_decimals: z.number(), asset_decimals: z.number() }).nullable().default(null),
  /** The spenders and recipients that many holders of a token use, such as exchanges: at most ten each. */
  usual: z
    .object({ spenders: z.array(z.string()), recipients: z.array(z.string()) })
    .nullable()
    .default(null),
  feed: Feed.nullable().default(null),
  pool: Pool.nullable().default(null),
  market: Market.nullable().default(null),
});
export type Profile = z.infer<typeof Profile>;

/** The profile of a contract of which nothing is known. */
export const emptyProfile: Profile = Profile.parse({});
