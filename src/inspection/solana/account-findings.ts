import type { Severity } from "../../lib/severity.ts";
import { describeController, isSingleKey } from "../control/describe-controller.ts";
import type { Finding } from "../control/findings.ts";
import type { AccountFacts } from "./account-facts.ts";
import { type AccountPower, powersOf } from "./powers.ts";

type Texts = {
  id: string;
  severity: Severity;
  does: string;
  detail: string;
  target_type: string;
};

/** Returns one finding for each authority, with the target that monitors it, and one for what is not known. */
export function accountFindings(facts: AccountFacts): Finding[] {
  const ofPowers = powersOf(facts).flatMap((power) => {
    const texts = textsOf(power);
    return texts ? [toFinding(power, texts, facts)] : [];
  });
  return [...ofPowers, ...unknownExtensions(facts)];
}

/** What an extension allows that came after this version is not found by any target. */
function unknownExtensions({ mint }: AccountFacts): Finding[] {
  const unknown = mint?.extensions.unknown;
  if (!unknown) return [];
  return [
    {
      id: "unknown_extension",
      severity: "warning",
      title: "The token has an extension that is not known",
      detail: `Its data has the Token-2022 extensions ${unknown.join(", ")}, which are newer than this version. Who can use them, and changes of that, are not found.`,
      target: null,
    },
  ];
}

function toFinding(
  { holder }: AccountPower,
  { id, severity, does, detail, target_type }: Texts,
  { authorities, holding, nonceAuthority }: AccountFacts,
): Finding {
  const note = authorities.get(holder.address)?.note;
  const config = holding ? { account: "token" } : nonceAuthority ? { account: "nonce" } : {};
  return {
    id,
    severity: isSingleKey(holder) || severity === "info" ? severity : "warning",
    title: `${whoOf(holder)} ${does}`,
    detail: `${describeController(holder)} ${detail}${note ? ` ${note}` : ""}`,
    target: { target_type, config: target_type === "solana_authority_change" ? config : {} },
  };
}

function whoOf(holder: AccountPower["holder"]): string {
  if (holder.kind === "safe") return `A multisig (${holder.threshold} of ${holder.owners.length})`;
  return isSingleKey(holder) ? "A single key" : "Another program";
}

function textsOf({ power, role }: AccountPower): Texts | undefined {
  switch (power) {
    case "upgrade_authority":
      return {
        id: power,
        severity: "critical",
        does: "can upgrade the program",
        detail: "is the upgrade authority of the program. Monitor upgrades.",
        target_type: "solana_program_upgrade",
      };
    case "mint_authority":
      return authority(power, "can mint tokens", "is the mint authority of the token");
    case "freeze_authority":
      return authority(power, "can freeze token accounts", "is the freeze authority of the token");
    case "owner":
      return {
        ...authority(power, "owns the token account", "is the owner of the token account"),
        severity: "info",
      };
    case "role":
      return authority(
        `${role}`.replaceAll(" ", "_"),
        roleTexts[`${role}`] ?? `is the ${role}`,
        `is the ${role}`,
      );
  }
}

const roleTexts: Record<string, string> = {
  "permanent delegate": "can move and burn the tokens of every holder",
  "transfer fee authority": "can change the fee of transfers",
  "transfer hook authority": "can change the program that every transfer runs",
  "interest rate authority": "can change the interest of the amounts that are shown",
  "scaled amount authority": "can change the amounts that are shown",
  "pause authority": "can pause all transfers",
  "nonce authority": "can use the durable nonce and withdraw its rent",
  delegate: "can spend from the token account",
};

function authority(id: string, does: string, is: string): Texts {
  const detail = `${is}. Monitor changes of the authority.`;
  return { id, severity: "warning", does, detail, target_type: "solana_authority_change" };
}
