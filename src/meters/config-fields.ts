import { z } from "zod";
import type { Chain } from "../chains/chain.ts";
import { parseAddress } from "../chains/evm/values/address.ts";
import { familyOf, parseAddressOn } from "../chains/families.ts";

/** An EVM address in a config, stored in checksum spelling. A failed checksum is rejected when the target is saved. */
export const addressText = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    if (parseAddress(text)) return;
    context.addIssue({ code: "custom", message: "This is not a valid address; check it for a typo." });
  })
  .overwrite((text) => parseAddress(text) ?? text);

/** An address of any chain family. The formats of the families cannot be mistaken for each other. */
export const anyAddressText = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    if (parseAddressOn(undefined, text)) return;
    context.addIssue({ code: "custom", message: "This is not a valid address; check it for a typo." });
  })
  .overwrite((text) => parseAddress(text) ?? text);

/** Returns a message if an address belongs to another chain family, else undefined. */
export function addressFamilyProblem(
  kind: Chain["kind"] | undefined,
  addresses: readonly (string | undefined)[],
): string | undefined {
  const family = familyOf({ kind: kind ?? "evm" });
  const wrong = addresses.find((address) => address !== undefined && !family.parseAddress(address));
  return wrong && `${wrong} is not a valid address on this chain.`;
}

/** A uint256 has at most 78 digits, so more decimals are meaningless. */
export const maxDecimals = 77;
export const decimalsNumber = z.int().min(0).max(maxDecimals);
