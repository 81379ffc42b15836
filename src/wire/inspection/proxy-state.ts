import { z } from "zod";
import { ChainKey } from "../contracts/chains.ts";
import { Address, Height } from "./fields.ts";
import { Holder } from "./holder.ts";

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
