import { z } from "zod";
import type { Chain } from "../chains/chain.ts";
import { parseAddress } from "../chains/evm/values/address.ts";
import { familyOf, parseAddressOn } from "../chains/families.ts";

/** An address in a config, kept in its one spelling; a typo is refused when the target is saved. */
export const addressText = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    if (parseAddress(text)) return;
    context.addIssue({ code: "custom", message: "This is not an address; check it for a typo." });
  })
  .overwrite((text) => parseAddress(text) ?? text);

/** The same for a meter of both families: neither spelling can be mistaken for the other. */
export const anyAddressText = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    if (parseAddressOn(undefined, text)) return;
    context.addIssue({ code: "custom", message: "This is not an address; check it for a typo." });
  })
  .overwrite((text) => parseAddress(text) ?? text);

/** Says that addresses are of another family than the chain; undefined when they fit. */
export function addressFamilyProblem(
  kind: Chain["kind"] | undefined,
  addresses: readonly (string | undefined)[],
): string | undefined {
  const family = familyOf({ kind: kind ?? "evm" });
  const wrong = addresses.find((address) => address !== undefined && !family.parseAddress(address));
  return wrong && `${wrong} is not an address on this chain.`;
}

/** The largest integer on chain has 78 digits, so more places after the point make no sense. */
export const maxDecimals = 77;
export const decimalsNumber = z.int().min(0).max(maxDecimals);
