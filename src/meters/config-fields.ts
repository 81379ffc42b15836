import { z } from "zod";
import { readAddress } from "../chains/evm/address.ts";

/** An address in a config, kept in its one spelling; a typo is refused when the target is saved. */
export const addressText = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    if (readAddress(text)) return;
    context.addIssue({ code: "custom", message: "This is not an address; check it for a typo." });
  })
  .overwrite((text) => readAddress(text) ?? text);

/** The largest integer on chain has 78 digits, so more places after the point make no sense. */
export const maxDecimals = 77;
export const decimalsNumber = z.int().min(0).max(maxDecimals);
