import { needsAccount } from "../checks.ts";
import { type Check, defineTemplate, eachStateChange, whereverItApplies } from "../template.ts";

const isUpgradeable: Check = (facts, target) => {
  const reason = needsAccount("program")(facts, target);
  if (reason || target || !facts.profile?.account) return reason;
  return facts.profile.account.upgraded_by
    ? undefined
    : "The program has no upgrade authority: it cannot change.";
};

/** Source: the losses of programs whose single upgrade key was stolen. */
export const solanaProgramUpgraded = defineTemplate({
  id: "solana_program_upgraded",
  category: "governance",
  alsoIn: ["lending", "dex", "bridge", "oracle", "vault"],
  name: "Program upgraded",
  description:
    "Alerts if the program is upgraded or closed. New code can take everything that the program controls. The source says whether a single key is enough for it.",
  target_type: "solana_program_upgrade",
  target_config: {},
  condition: eachStateChange,
  variantsFor: ({ profile }) =>
    profile?.account?.upgraded_by
      ? [
          {
            config: {},
            condition: eachStateChange,
            source: `${profile.account.upgraded_by} can upgrade the program.`,
          },
        ]
      : undefined,
  severity: "critical",
  for_seconds: 0,
  check: isUpgradeable,
  isRecommended: whereverItApplies,
});
