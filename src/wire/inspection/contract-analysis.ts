import { z } from "zod";
import { severities } from "../../lib/severity.ts";
import { ChainKey } from "../contracts/chains.ts";
import { Contract } from "../contracts/contracts.ts";
import { Address, Height, Source, sentence } from "./fields.ts";
import { Holder } from "./holder.ts";
import { Program } from "./inspection.ts";

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
