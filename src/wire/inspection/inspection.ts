import { z } from "zod";
import { ChainKey } from "../contracts/chains.ts";
import { Contract } from "../contracts/contracts.ts";
import { Address, Height, Source, sentence } from "./fields.ts";

export const InspectRequest = z
  .strictObject({
    chain: ChainKey,
    address: z
      .string()
      .min(1)
      .max(100)
      .meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] }),
  })
  .meta({ id: "InspectRequest" });
export type InspectRequest = z.infer<typeof InspectRequest>;

const TargetSuggestion = z
  .strictObject({
    target_type: z.string().meta({ examples: ["token_supply"] }),
    config: z.record(z.string(), z.unknown()).meta({ examples: [{}] }),
    reason: sentence("Monitor the total supply for mints and burns."),
  })
  .meta({ id: "TargetSuggestion", description: "A recommended target, ready to be created." });

const ProxyPath = z
  .strictObject({
    kind: z.string().meta({ examples: ["eip1967"] }),
    implementation: Address.nullable().describe(
      "Address of the final implementation; null for a diamond, which has facets.",
    ),
    admin: Address.nullable(),
    beacon: Address.nullable(),
    facets: z.array(Address).meta({ examples: [[]] }),
    hops: z.array(
      z.strictObject({
        address: Address,
        kind: z.string().meta({ examples: ["eip1967"] }),
        implementation: Address.nullable(),
      }),
    ),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why the proxy chain was not resolved completely.", examples: [null] }),
  })
  .meta({ id: "ProxyPath", description: "Chain of proxies from a contract to its implementation." });

const TokenFacts = z
  .strictObject({
    name: z
      .string()
      .nullable()
      .meta({ examples: ["USD Coin"] }),
    symbol: z
      .string()
      .nullable()
      .meta({ examples: ["USDC"] }),
    decimals: z
      .int()
      .nullable()
      .meta({ examples: [6] }),
    total_supply: z
      .string()
      .nullable()
      .meta({
        description: "Total supply in the smallest unit of the token.",
        examples: ["43112345678901234"],
      }),
  })
  .meta({ id: "TokenFacts", description: "Metadata that a token reports." });

export const Program = z
  .strictObject({
    loader: z.string().meta({ examples: ["BPFLoaderUpgradeab1e11111111111111111111111"] }),
    program_data: z
      .string()
      .nullable()
      .meta({ examples: ["3gvYRKWyXRR9xKWe1ZjPhLY5ZJRN7KDB4rFZFGoJfFk2"] }),
    deployed_slot: z
      .int()
      .nullable()
      .meta({ description: "Slot of the last deployment.", examples: [440273536] }),
    upgrade_authority: z
      .string()
      .nullable()
      .meta({ description: "Upgrade authority; null if the program is immutable.", examples: [null] }),
    has_idl: z
      .boolean()
      .describe("True if an IDL is on chain, in Program Metadata or in an Anchor IDL account."),
  })
  .meta({ id: "Program", description: "Loader, deployment and upgrade authority of a Solana program." });

export const Inspection = z
  .strictObject({
    chain: ChainKey,
    chain_id: z.int().meta({ examples: [1] }),
    address: Address,
    block_number: Height,
    has_code: z.boolean(),
    is_proxy: z.boolean(),
    proxy: ProxyPath.nullable(),
    program: Program.nullable().describe("Solana program; null on other chains."),
    abi_source: z
      .enum(["registry", "bytecode", "none"])
      .describe(
        "`registry`: published by the authors; `bytecode`: recovered from the bytecode, may be incomplete.",
      ),
    abi: z.array(z.record(z.string(), z.unknown())).meta({
      description: "ABI items, at most 1,000. On Solana, the IDL as the only item.",
      examples: [[]],
    }),
    unnamed_selectors: z.array(z.string()).meta({
      description: "Selectors of functions in the code without a known signature; at most 200.",
      examples: [[]],
    }),
    is_verified: z
      .boolean()
      .nullable()
      .meta({
        description: "True if the source code is verified; null if no registry could be reached.",
        examples: [true],
      }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ["FiatTokenV2_2"] }),
    token: TokenFacts.nullable(),
    category: Contract.shape.category,
    category_reasons: z.array(sentence("An erc20 is a token.")),
    contract_type: z.string().meta({ examples: ["erc20"] }),
    contract_type_reasons: z.array(
      sentence("The contract has a total supply and transferable balances, like ERC-20 tokens."),
    ),
    suggested_targets: z.array(TargetSuggestion),
    sources: z.array(Source).describe("Sources queried for the ABI, with their results."),
  })
  .meta({ id: "Inspection", description: "Result of an inspection of an address. It is not stored." });
export type Inspection = z.infer<typeof Inspection>;
