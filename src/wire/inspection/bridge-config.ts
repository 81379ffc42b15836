import { z } from "zod";
import { ChainKey } from "../contracts/chains.ts";
import { Address, sentence } from "./fields.ts";

const BridgeRoute = z
  .strictObject({
    direction: z.enum(["inbound", "outbound"]).describe("Direction from the point of view of the contract."),
    src_eid: z.int().meta({ examples: [30110] }),
    dst_eid: z.int().meta({ examples: [30101] }),
    src_chain: z
      .string()
      .nullable()
      .meta({ examples: ["arbitrum"] }),
    dst_chain: z
      .string()
      .nullable()
      .meta({ examples: ["ethereum"] }),
    peer: z.string().meta({
      description: "Address of the remote application, padded to 32 bytes.",
      examples: [`0x${"0".repeat(24)}85d456b2dff1fd8245387c0bfb64dfb700e98ef3`],
    }),
    send_library: Address.nullable(),
    receive_library: Address.nullable(),
    confirmations: z
      .string()
      .nullable()
      .meta({ examples: ["15"] }),
    required_dvns: z.array(Address),
    optional_dvns: z.array(Address),
    optional_threshold: z.int().meta({ examples: [0] }),
    is_default_config: z
      .boolean()
      .nullable()
      .meta({ examples: [false] }),
    risk_level: z.enum(["critical", "high", "medium", "low", "inactive", "unknown"]),
    risk_reasons: z.array(
      sentence("Only two independent verifiers must attest each message; three are safer."),
    ),
  })
  .meta({
    id: "BridgeRoute",
    description: "Verification config of one LayerZero route, as the receiving side enforces it.",
  });
export type BridgeRoute = z.infer<typeof BridgeRoute>;

export const BridgeConfig = z
  .strictObject({
    chain: ChainKey,
    address: Address,
    block_number: z
      .int()
      .nullable()
      .meta({ examples: [23812345] }),
    endpoint: Address.nullable(),
    eid: z
      .int()
      .nullable()
      .meta({ examples: [30101] }),
    routes: z.array(BridgeRoute),
  })
  .meta({
    id: "BridgeConfig",
    description: "LayerZero V2 routes of an application; empty if the contract is not one.",
  });
export type BridgeConfig = z.infer<typeof BridgeConfig>;
