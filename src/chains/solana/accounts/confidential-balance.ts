import { z } from "zod";
import { extensionsIn } from "./token-extensions.ts";

/** Why a balance cannot be read. */
export const confidentialProblem =
  "a part of it is confidential, which only the keys of its owner can decrypt";

const confidentialAccount = 5;
/** After the approval and the key: the pending and the available balance, encrypted. */
const [balancesStart, balancesEnd] = [33, 225];

/** True if a token account holds more than its public balance says. An encrypted balance of zeros is none. */
export function hasConfidentialBalance(data: Buffer): boolean {
  return extensionsIn(data, "account").some(
    ({ id, value }) =>
      id === confidentialAccount && value.subarray(balancesStart, balancesEnd).some((byte) => byte !== 0),
  );
}

/** The extensions of a token account as nodes decode them. */
export const extensionsShape = z
  .array(z.object({ extension: z.string(), state: z.unknown().optional() }))
  .nullish();

const state = z.object({
  pendingBalanceLo: z.string(),
  pendingBalanceHi: z.string(),
  availableBalance: z.string(),
});

/** The same of extensions that a node decoded. One that it did not decode may hide a balance. */
export function namesConfidentialBalance(extensions: z.output<typeof extensionsShape>): boolean {
  const found = extensions?.find(({ extension }) => extension === "confidentialTransferAccount");
  if (!found) return false;
  const parsed = state.safeParse(found.state);
  return !parsed.success || Object.values(parsed.data).some((text) => !/^A*=*$/.test(text));
}
