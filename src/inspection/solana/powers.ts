import type { Controller } from "../control/controller.ts";
import type { AccountFacts } from "./account-facts.ts";

/** A privilege on a program, a mint or a token account, and the account that has it. */
export type AccountPower = {
  power: "upgrade_authority" | "mint_authority" | "freeze_authority" | "owner" | "role";
  /** The name of a privilege that has no power of its own. */
  role: string | null;
  holder: Controller;
};

type NamedAuthority = Pick<AccountPower, "power" | "role"> & { holder: string };
type Controlled = Pick<AccountFacts, "program" | "mint" | "holding" | "nonceAuthority">;

/** The addresses that have privileges on an account. */
export function authoritiesOf({ program, mint, holding, nonceAuthority }: Controlled): NamedAuthority[] {
  const { permanentDelegate, transferFee, closeAuthority, interest, transferHook, scaledAmount, pause } =
    mint?.extensions ?? {};
  const powers: [power: AccountPower["power"], holder: string | null | undefined, role?: string][] = [
    ["upgrade_authority", program.authority],
    ["mint_authority", mint?.authorities.mint],
    ["freeze_authority", mint?.authorities.freeze],
    ["role", permanentDelegate, "permanent delegate"],
    ["role", transferFee?.authority, "transfer fee authority"],
    ["role", transferFee?.withdrawAuthority, "withdraw authority of withheld fees"],
    ["role", transferHook?.authority, "transfer hook authority"],
    ["role", interest?.authority, "interest rate authority"],
    ["role", scaledAmount?.authority, "scaled amount authority"],
    ["role", pause?.authority, "pause authority"],
    ["role", closeAuthority, "close authority of the mint"],
    ["role", nonceAuthority, "nonce authority"],
    ["owner", holding?.owner],
    ["role", holding?.delegate, "delegate"],
    ["role", holding?.closeAuthority, "close authority"],
  ];
  return powers.flatMap(([power, holder, role = null]) => (holder ? [{ power, role, holder }] : []));
}

/** Returns the privileges with who is behind each of them. */
export function powersOf(facts: AccountFacts): AccountPower[] {
  return authoritiesOf(facts).map(({ power, role, holder }) => ({
    power,
    role,
    holder: facts.authorities.get(holder)?.controller ?? { kind: "eoa", address: holder },
  }));
}
