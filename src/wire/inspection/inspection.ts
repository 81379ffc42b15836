import { z } from "zod";
import { severities } from "../../lib/severity.ts";
import { ChainKey, Contract } from "../contracts/contracts.ts";

export const Address = z.string().meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] });
const Height = z
  .int()
  .meta({ description: "Number of the block at which the state was read.", examples: [23812345] });
export const sentence = (example: string) => z.string().meta({ examples: [example] });

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

const Program = z
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

const Source = z.strictObject({
  source: z.string().meta({ examples: ["sourcify"] }),
  status: z.enum(["found", "not_found", "unavailable", "rate_limited", "invalid", "skipped"]),
  detail: z
    .string()
    .nullable()
    .meta({ examples: [null] }),
});

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

const eoa = z.strictObject({ kind: z.literal("eoa").meta({ examples: ["eoa"] }), address: Address });
const safe = z.strictObject({
  kind: z.literal("safe").meta({ examples: ["safe"] }),
  address: Address,
  threshold: z.int().meta({ examples: [3] }),
  owners: z.array(Address),
});
const timelock = z.strictObject({
  kind: z.literal("timelock").meta({ examples: ["timelock"] }),
  address: Address,
  delay_seconds: z.int().meta({ examples: [172800] }),
});
const ownedContract = z.strictObject({
  kind: z.literal("contract").meta({ examples: ["contract"] }),
  address: Address,
  owner: z
    .union([
      eoa,
      safe,
      timelock,
      z.strictObject({ kind: z.literal("contract"), address: Address, owner: z.null() }),
    ])
    .nullable(),
});

const Holder = z.union([eoa, safe, timelock, ownedContract]).meta({
  id: "Holder",
  description:
    "Holder of a privilege: an externally owned account, a multisig, a timelock or another contract.",
});

export const ProxyState = z
  .strictObject({
    chain: ChainKey,
    address: Address,
    block_number: Height.nullable(),
    is_proxy: z.boolean(),
    kind: z
      .string()
      .nullable()
      .meta({ examples: ["eip1967"] }),
    implementation: Address.nullable(),
    admin: Address.nullable(),
    beacon: Address.nullable(),
    admin_owner: Holder.nullable().describe("Owner of the admin, or of the beacon if there is no admin."),
    history: z.array(
      z.strictObject({
        part: z.enum(["implementation", "admin", "beacon"]),
        address: Address,
        previous: Address.nullable(),
        block_number: z.int().meta({ examples: [23800000] }),
        tx_hash: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
        source: z
          .enum(["chain", "engine"])
          .describe("`chain`: from an event log; `engine`: observed by this service."),
      }),
    ),
    history_from_block: z
      .int()
      .nullable()
      .meta({ description: "First block that was searched for logs.", examples: [0] }),
    history_problem: z
      .string()
      .nullable()
      .meta({ description: "What could not be read.", examples: [null] }),
  })
  .meta({ id: "ProxyState", description: "Current values of the proxy slots and their history." });
export type ProxyState = z.infer<typeof ProxyState>;

export const ContractAnalysis = z
  .strictObject({
    contract_id: z.uuid().meta({ examples: ["019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42"] }),
    chain: ChainKey,
    address: Address,
    block_number: Height.nullable(),
    category: Contract.shape.category,
    contract_type: z.string().meta({ examples: ["erc20"] }),
    standards: z.array(z.string().meta({ examples: ["ERC-20"] })),
    program: Program.nullable().describe("Solana program; null on other chains."),
    powers: z.array(
      z.strictObject({
        power: z.enum([
          "owner",
          "pending_owner",
          "proxy_admin",
          "beacon_owner",
          "role",
          "signer_group",
          "timelock",
          "upgrade_authority",
          "mint_authority",
          "freeze_authority",
        ]),
        role: z
          .string()
          .nullable()
          .meta({ examples: [null] }),
        holder: Holder,
      }),
    ),
    privileged_functions: z.array(
      z.strictObject({
        signature: z.string().meta({ examples: ["mint(address,uint256)"] }),
        selector: z.string().meta({ examples: ["0x40c10f19"] }),
        privilege: z.enum([
          "upgrade",
          "ownership",
          "roles",
          "pause",
          "supply",
          "blocklist",
          "funds",
          "settings",
          "execution",
        ]),
      }),
    ),
    dependencies: z.array(
      z.strictObject({ kind: z.string().meta({ examples: ["token"] }), address: Address }),
    ),
    findings: z.array(
      z.strictObject({
        id: z.string().meta({ examples: ["mintable"] }),
        severity: z.enum(severities),
        title: sentence("The token supply can be changed"),
        detail: sentence("Privileged accounts can mint or burn tokens. Monitor the total supply."),
        target: z
          .strictObject({
            target_type: z.string().meta({ examples: ["token_supply"] }),
            config: z.record(z.string(), z.unknown()).meta({ examples: [{}] }),
          })
          .nullable()
          .describe("Target that monitors the finding."),
        is_watched: z.boolean().describe("True if the contract has such a target, enabled."),
      }),
    ),
    problems: z
      .array(sentence("Roles granted before block 23000000 may be missing."))
      .describe("What could not be read."),
    sources: z.array(Source),
  })
  .meta({
    id: "ContractAnalysis",
    description: "Privileges on a contract, their holders, and findings with recommended targets.",
  });
export type ContractAnalysis = z.infer<typeof ContractAnalysis>;
