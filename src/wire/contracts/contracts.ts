import { z } from "zod";
import { meters } from "../../meters/index.ts";
import { Id, line, PolicyId, Timestamp } from "../primitives.ts";
import { withVariants } from "../variants.ts";
import { contractStatusCodes } from "./status-codes.ts";
import { TargetNeeds } from "./target-types.ts";

/** What a contract is for; a wallet is an address without code. */
export const categories = [
  ...(["lending", "dex", "bridge", "oracle", "governance"] as const),
  ...(["token", "proxy", "safe", "wallet", "other"] as const),
] as const;

export const ChainKey = z
  .string()
  .min(1)
  .max(50)
  .meta({ description: "Key of the chain, as listed by `GET /chains`.", examples: ["ethereum"] });

const Address = z.string().meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] });

export const ChainInfo = z
  .strictObject({
    chain: ChainKey,
    chain_id: z.int().meta({ examples: [1] }),
    name: z.string().meta({ examples: ["Ethereum"] }),
    kind: z.enum(["evm", "solana"]),
    native_currency: z.strictObject({ name: z.string(), symbol: z.string(), decimals: z.int() }).meta({
      examples: [{ name: "Ether", symbol: "ETH", decimals: 18 }],
    }),
    explorer_url: z
      .string()
      .nullable()
      .meta({ examples: ["https://etherscan.io"] }),
    block_time_ms: z.number().meta({ examples: [12000] }),
    finality_depth: z.int().meta({ examples: [65] }),
    is_testnet: z.boolean().meta({ examples: [false] }),
    state: z.enum(["live", "lagging", "stalled", "off"]),
    head_block: z
      .int()
      .nullable()
      .meta({ examples: [23812345] }),
    lag_seconds: z
      .number()
      .nullable()
      .meta({
        description: "The age of the oldest block that is not processed yet; 0 at the head",
        examples: [3],
      }),
    last_block_at: Timestamp.nullable().meta({
      description: "The time of the last block that was processed",
    }),
    status_reason: z
      .string()
      .nullable()
      .meta({
        description: "What is wrong with the nodes of the chain, as a sentence",
        examples: ["The chain could not be read: a node asks to slow down."],
      }),
    reading: z
      .strictObject({
        plan: z.enum(["nothing", "state", "logs", "blocks"]).meta({
          description:
            "What the targets of all organisations need: only the head, state, some events, or whole blocks",
          examples: ["logs"],
        }),
        poll_seconds: z.number().meta({ examples: [12] }),
        is_slowed: z.boolean().meta({
          description: "True while the interval is longer than the plan needs, to stay within the budget",
          examples: [false],
        }),
        calls_per_day_estimate: z.int().meta({
          description: "The calls a day to one endpoint that the plan costs",
          examples: [16_800],
        }),
        calls_per_day_budget: z
          .int()
          .nullable()
          .meta({ examples: [100_000] }),
        calls: z
          .array(
            z.strictObject({
              endpoint: z.int().meta({ description: "The position of the endpoint in the settings, from 1" }),
              method: z.string(),
              today: z.int(),
              yesterday: z.int(),
            }),
          )
          .meta({
            description: "Calls of the engine by endpoint and method, by days in UTC; updated twice a minute",
            examples: [[{ endpoint: 1, method: "eth_getLogs", today: 4120, yesterday: 7204 }]],
          }),
      })
      .nullable()
      .meta({ description: "What is read of the chain and what that costs; null until it is followed" }),
    gaps: z.array(z.strictObject({ from_block: z.int(), to_block: z.int(), skipped_at: Timestamp })).meta({
      description: "Blocks of the last 30 days that an operator skipped; nothing in them was counted",
    }),
  })
  .meta({ id: "Chain", description: "A blockchain that this service follows." });
export type ChainInfo = z.infer<typeof ChainInfo>;

export const Label = z
  .strictObject({
    id: Id,
    key: z
      .string()
      .nullable()
      .meta({ examples: ["team"] }),
    value: z.string().meta({ examples: ["treasury"] }),
    color: z
      .string()
      .nullable()
      .meta({ examples: ["#a5341f"] }),
    created_at: Timestamp,
  })
  .meta({ id: "Label", description: "A label on a contract." });
export type Label = z.infer<typeof Label>;

export const LabelCreate = z
  .strictObject({
    value: line(1, 50, "treasury"),
    key: line(1, 50, "team").nullable().optional(),
    color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, "must be a colour such as #a5341f")
      .nullable()
      .optional()
      .meta({ examples: ["#a5341f"] }),
  })
  .meta({ id: "LabelCreate" });
export type LabelCreate = z.infer<typeof LabelCreate>;

export const LabelsReplace = z
  .strictObject({ labels: z.array(LabelCreate).max(20) })
  .meta({ id: "LabelsReplace", description: "The complete new set of labels." });

export const Contract = z
  .strictObject({
    id: Id,
    org_id: Id,
    chain: ChainKey,
    chain_id: z.int().meta({ examples: [1] }),
    address: Address,
    label: z.string().meta({ examples: ["USDC"] }),
    labels: z.array(Label),
    status: z.enum(["PENDING", "MONITORING", "PAUSED", "ERROR"]).meta({ examples: ["MONITORING"] }),
    status_code: z
      .enum(contractStatusCodes)
      .nullable()
      .meta({
        description: "Machine-readable reason for the status; null when there is nothing to explain.",
        examples: [null],
      }),
    status_reason: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    category: z.enum(categories).meta({ examples: ["token"] }),
    contract_type: z.string().meta({ examples: ["erc20"] }),
    is_proxy: z.boolean(),
    implementation_address: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    is_verified: z
      .boolean()
      .nullable()
      .meta({ examples: [true] }),
    abi_source: z.enum(["upload", "registry", "bytecode", "import", "none"]).meta({ examples: ["upload"] }),
    targets_count: z.int().meta({ examples: [2] }),
    rules_count: z.int().meta({ examples: [1] }),
    last_activity_at: Timestamp.nullable(),
    created_by: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Contract", description: "An address on one chain that the organisation monitors." });
export type Contract = z.infer<typeof Contract>;

const TargetType = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_.:-]+$/, "must be letters, digits, _ . : or -")
  .meta({
    description: "Target type. An unknown type is stored and reported as `unsupported`.",
    examples: ["tx_rate"],
  });

const Config = z.record(z.string().max(100), z.unknown()).meta({
  description: "Config fields of the target type.",
  examples: [{ direction: "to" }],
});

const Abi = z.unknown().meta({
  description:
    "ABI as JSON: an array of items or a compiler artifact. On Solana, an Anchor IDL of any version.",
  examples: [[]],
});

/** A target of a type, without what only some operations accept. */
export const SelectedTarget = withVariants(
  z.strictObject({ target_type: TargetType, config: Config.optional() }).meta({ id: "SelectedTarget" }),
  "target_type",
  meters,
);

export const ContractCreate = z
  .strictObject({
    chain: ChainKey,
    address: z
      .string()
      .min(1)
      .max(100)
      .meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] }),
    label: line(1, 100, "USDC").optional(),
    selected_targets: z.array(SelectedTarget).max(200).optional(),
    abi: Abi.optional(),
  })
  .meta({ id: "ContractCreate" });
export type ContractCreate = z.infer<typeof ContractCreate>;

export const ContractUpdate = z
  .strictObject({
    label: line(1, 100, "USDC").optional(),
    category: Contract.shape.category.optional(),
    abi: Abi.optional(),
  })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "ContractUpdate" });
export type ContractUpdate = z.infer<typeof ContractUpdate>;

export const Grant = z
  .strictObject({
    id: Id,
    contract_id: Id,
    user_id: Id,
    email: z.string().meta({ examples: ["grace@example.com"] }),
    role: z.enum(["viewer", "editor"]),
    granted_by: Id.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: "ContractAccess", description: "Access of one member to a restricted contract." });
export type Grant = z.infer<typeof Grant>;

export const GrantCreate = z
  .strictObject({
    user_id: Id.optional(),
    email: z
      .email()
      .max(254)
      .optional()
      .meta({ examples: ["grace@example.com"] }),
    role: z.enum(["viewer", "editor"]),
  })
  .refine(
    (grant) => (grant.user_id === undefined) !== (grant.email === undefined),
    "must have either user_id or email",
  )
  .meta({ id: "ContractAccessCreate", examples: [{ email: "grace@example.com", role: "viewer" }] });
export type GrantCreate = z.infer<typeof GrantCreate>;

export const Target = z
  .strictObject({
    id: Id,
    contract_id: Id,
    policy_id: PolicyId,
    target_type: TargetType,
    name: z.string().meta({ examples: ["Transactions"] }),
    config: Config,
    unit: z
      .string()
      .nullable()
      .meta({ examples: ["transactions"] }),
    needs: TargetNeeds.meta({
      description:
        "What the target makes the engine read of its chain. `transactions`, `receipts` and `traces` need whole blocks, which cost the " +
        "most calls to the nodes",
      examples: [["transactions", "receipts"]],
    }),
    is_enabled: z.boolean(),
    status: z.enum(["ok", "no_data", "error", "unsupported"]),
    status_reason: z
      .string()
      .nullable()
      .meta({ examples: [null] }),
    last_value: z
      .number()
      .nullable()
      .meta({ examples: [12] }),
    last_value_at: Timestamp.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Target", description: "A metric measured on a contract." });
export type Target = z.infer<typeof Target>;

export const TargetCreate = withVariants(
  z
    .strictObject({
      target_type: TargetType,
      name: line(1, 100, "Transactions").optional(),
      config: Config.optional(),
    })
    .meta({
      id: "TargetCreate",
      description:
        "A target of one of the types of `GET /target-types`. Any other type is stored and reported as `unsupported`.",
    }),
  "target_type",
  meters,
);
export type TargetCreate = z.infer<typeof TargetCreate>;

export const TargetUpdate = z
  .strictObject({
    name: line(1, 100, "Transactions").optional(),
    config: Config.optional(),
    is_enabled: z.boolean().optional(),
  })
  .refine((update) => Object.keys(update).length > 0, "must change at least one field")
  .meta({ id: "TargetUpdate" });
export type TargetUpdate = z.infer<typeof TargetUpdate>;
