import { z } from "zod";
import { relations } from "../../discovery/related-address.ts";
import { Cursor } from "../paging.ts";
import { Id, Timestamp } from "../primitives.ts";

const Address = z.string().meta({ examples: ["0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"] });
const ChainId = z
  .int()
  .positive()
  .meta({ examples: [1] });
const Status = z.enum(["pending", "completed", "partial", "failed"]).meta({
  description: "`partial` if a chain could not be read, or only in part.",
  examples: ["completed"],
});

export const DiscoveryCreate = z
  .strictObject({ wallet_address: Address.min(1).max(100), chain_ids: z.array(ChainId).min(1).max(32) })
  .meta({ id: "WalletDiscoveryCreate" });
export type DiscoveryCreate = z.infer<typeof DiscoveryCreate>;

export const DiscoveriesQuery = z.strictObject({
  limit: z.int().min(1).max(100).default(100).describe("Maximum number of discoveries."),
  cursor: Cursor.optional(),
});
export type DiscoveriesQuery = z.infer<typeof DiscoveriesQuery>;

export const WalletDiscovery = z
  .strictObject({
    id: Id,
    wallet_address: Address,
    chain_ids: z.array(ChainId),
    status: Status,
    progress: z
      .record(
        z.string(),
        z.strictObject({
          status: Status,
          found: z
            .int()
            .min(0)
            .meta({ examples: [4] }),
          error: z
            .string()
            .nullable()
            .meta({ description: "Error, or the part that could not be read.", examples: [null] }),
        }),
      )
      .meta({
        description: "Progress by chain id.",
        examples: [{ "1": { status: "completed", found: 4, error: null } }],
      }),
    results: z.array(
      z.strictObject({
        address: Address,
        chain_id: ChainId,
        name: z
          .string()
          .nullable()
          .meta({ examples: ["USD Coin"] }),
        contract_type: z
          .string()
          .meta({ description: "`wallet` for an address without code.", examples: ["erc20"] }),
        category: z.string().meta({ examples: ["token"] }),
        relation: z.enum(relations).meta({
          description: "Closest relation of the wallet to the address. The wallet itself is `owned`.",
          examples: ["deployed"],
        }),
        tx_count: z
          .int()
          .min(0)
          .meta({ examples: [12] }),
        last_interaction_at: Timestamp.nullable(),
        already_imported: z.boolean(),
        suggested_targets: z.array(
          z.strictObject({
            target_type: z.string().meta({ examples: ["token_supply"] }),
            config: z.record(z.string(), z.unknown()).meta({ examples: [{}] }),
            reason: z.string().meta({ examples: ["Monitor the total supply for mints and burns."] }),
          }),
        ),
      }),
    ),
    cached: z.boolean().describe("True if all results come from the cache of the last 24 hours."),
    error: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    created_at: Timestamp,
    completed_at: Timestamp.nullable(),
  })
  .meta({
    id: "WalletDiscovery",
    description:
      "Contracts and wallets related to a wallet. Poll every two seconds until the status is final.",
  });
export type WalletDiscovery = z.infer<typeof WalletDiscovery>;

export const DiscoveryImport = z
  .strictObject({
    addresses: z
      .array(
        z.strictObject({
          address: Address.min(1).max(100),
          chain_id: ChainId,
          enable_suggested_targets: z.boolean().default(false),
        }),
      )
      .min(1)
      .max(100),
  })
  .meta({ id: "WalletDiscoveryImport" });
export type DiscoveryImport = z.output<typeof DiscoveryImport>;

const count = z
  .int()
  .min(0)
  .meta({ examples: [1] });
export const DiscoveryImportResult = z
  .strictObject({
    imported: count,
    skipped: count.describe("Number of contracts that the organisation already monitors."),
    failed: count,
    errors: z.array(
      z.strictObject({
        address: Address,
        chain_id: ChainId,
        code: z.string().meta({ examples: ["quota_exceeded"] }),
        message: z.string().meta({ examples: ["The Free tier allows 5 contracts."] }),
      }),
    ),
  })
  .meta({ id: "WalletDiscoveryImportResult" });
export type DiscoveryImportResult = z.infer<typeof DiscoveryImportResult>;
