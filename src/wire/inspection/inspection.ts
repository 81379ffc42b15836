import { z } from "zod";
import { severities } from "../../lib/severity.ts";
import { ChainKey, Contract } from "../contracts/contracts.ts";

export const Address = z.string().meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] });
const Height = z.int().meta({ description: "The block that everything was read at.", examples: [23812345] });
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
    reason: sentence("Watch the supply for tokens made or destroyed."),
  })
  .meta({ id: "TargetSuggestion", description: "A target worth having, as it can be created." });

const ProxyPath = z
  .strictObject({
    kind: z.string().meta({ examples: ["eip1967"] }),
    implementation: Address.nullable().describe(
      "Where the code is in the end; null of a diamond, which has facets.",
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
      .meta({ description: "Why the way was not followed to its end.", examples: [null] }),
  })
  .meta({ id: "ProxyPath", description: "How a contract leads to its code." });

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
      .meta({ description: "In the smallest unit.", examples: ["43112345678901234"] }),
  })
  .meta({ id: "TokenFacts", description: "What a token says of itself." });

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
      .meta({ description: "When its code was last deployed.", examples: [440273536] }),
    upgrade_authority: z
      .string()
      .nullable()
      .meta({ description: "Null when nobody can upgrade it.", examples: [null] }),
    has_idl: z
      .boolean()
      .describe("Whether an IDL is on chain, by Program Metadata or in Anchor's own account."),
  })
  .meta({ id: "Program", description: "How a program on Solana is run, and who may change it." });

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
    program: Program.nullable().describe("On Solana only."),
    abi_source: z
      .enum(["registry", "bytecode", "none"])
      .describe("`registry` is what its authors published, `bytecode` was recovered and may be incomplete."),
    abi: z
      .array(z.record(z.string(), z.unknown()))
      .meta({ description: "At most 1,000 items; on Solana the IDL as the only one.", examples: [[]] }),
    unnamed_selectors: z
      .array(z.string())
      .meta({ description: "Functions in the code whose names nobody knows; at most 200.", examples: [[]] }),
    is_verified: z
      .boolean()
      .nullable()
      .meta({ description: "Null where no source could be asked.", examples: [true] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ["FiatTokenV2_2"] }),
    token: TokenFacts.nullable(),
    category: Contract.shape.category,
    category_reasons: z.array(sentence("An erc20 is a token.")),
    contract_type: z.string().meta({ examples: ["erc20"] }),
    contract_type_reasons: z.array(
      sentence("It has a supply and balances that can be transferred, as ERC-20 says."),
    ),
    suggested_targets: z.array(TargetSuggestion),
    sources: z.array(Source).describe("Who was asked for the ABI, and how each did."),
  })
  .meta({ id: "Inspection", description: "What stands at an address. Nothing is kept of it." });
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
  description: "Who has a power: an account with a key, a multisig, a timelock or another contract.",
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
    admin_owner: Holder.nullable().describe(
      "Who stands behind the admin, or behind the beacon where there is no admin.",
    ),
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
          .describe("A log that a node gave, or what this service saw itself."),
      }),
    ),
    history_from_block: z
      .int()
      .nullable()
      .meta({ description: "How far back logs were looked for.", examples: [0] }),
    history_problem: z
      .string()
      .nullable()
      .meta({ description: "What could not be seen.", examples: [null] }),
  })
  .meta({ id: "ProxyState", description: "What a proxy's slots hold now, and how they came to." });
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
    program: Program.nullable().describe("On Solana only."),
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
        title: sentence("The supply can be changed"),
        detail: sentence("Somebody in power can make or destroy tokens."),
        target: z
          .strictObject({
            target_type: z.string().meta({ examples: ["token_supply"] }),
            config: z.record(z.string(), z.unknown()).meta({ examples: [{}] }),
          })
          .nullable()
          .describe("What would watch it."),
        is_watched: z.boolean().describe("Whether such a target is switched on."),
      }),
    ),
    problems: z
      .array(sentence("Roles granted before block 23000000 may be missing."))
      .describe("What could not be seen."),
    sources: z.array(Source),
  })
  .meta({
    id: "ContractAnalysis",
    description: "Who can change a contract and how, and what to watch because of it.",
  });
export type ContractAnalysis = z.infer<typeof ContractAnalysis>;
