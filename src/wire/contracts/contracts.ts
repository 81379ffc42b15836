import { z } from "zod";
import { categories } from "../../templates/template.ts";
import { pageQuery } from "../paging.ts";
import { Id, line, Timestamp } from "../primitives.ts";
import { ChainKey } from "./chains.ts";
import { contractStatusCodes } from "./status-codes.ts";
import { selectedTargets } from "./targets.ts";

const Address = z.string().meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] });

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

const ContractStatus = z
  .enum(["PENDING", "MONITORING", "PAUSED", "ERROR"])
  .meta({ examples: ["MONITORING"] });

export const Contract = z
  .strictObject({
    id: Id,
    org_id: Id,
    chain: ChainKey,
    chain_id: z.int().meta({ examples: [1] }),
    address: Address,
    label: z.string().meta({ examples: ["USDC"] }),
    labels: z.array(Label),
    status: ContractStatus,
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
      .meta({
        description:
          "Explanation of the status for people. On Solana it also says which token accounts are not followed.",
        examples: [null],
      }),
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

export const ContractsQuery = z.strictObject({
  chain: ChainKey.optional().describe("Only contracts on this chain."),
  status: ContractStatus.optional().describe("Only contracts with this status."),
  category: z.enum(categories).optional().describe("Only contracts of this category."),
  label: line(1, 101, "team:treasury")
    .optional()
    .describe("Only contracts with this label: its value, or `key:value`. Case is ignored."),
  q: line(1, 100, "usdc")
    .optional()
    .describe("Only contracts whose name or address contains this text. Case is ignored."),
  ...pageQuery,
});
export type ContractsQuery = z.infer<typeof ContractsQuery>;

const Abi = z.unknown().meta({
  description:
    "ABI as JSON: an array of items or a compiler artifact, at most 5 MB. On Solana, an Anchor IDL of any version. The different ABIs " +
    "of an organisation may have 64 MB together.",
  examples: [[]],
});

export const ContractCreate = z
  .strictObject({
    chain: ChainKey,
    address: z
      .string()
      .min(1)
      .max(100)
      .meta({ examples: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"] }),
    label: line(1, 100, "USDC").optional(),
    selected_targets: selectedTargets(200).optional(),
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
