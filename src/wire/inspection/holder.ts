import { z } from "zod";
import { Address } from "./fields.ts";

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

export const Holder = z.union([eoa, safe, timelock, ownedContract]).meta({
  id: "Holder",
  description:
    "Holder of a privilege: an externally owned account, a multisig, a timelock or another contract.",
});
