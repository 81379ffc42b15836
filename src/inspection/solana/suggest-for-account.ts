import { loaderV4 } from "../../chains/solana/accounts/program-account.ts";
import type { SuggestedTarget } from "../suggest/suggested-target.ts";
import type { AccountFacts } from "./account-facts.ts";
import { assetsOf } from "./account-profile.ts";
import { kindOf } from "./classify-account.ts";
import { authoritiesOf } from "./powers.ts";

const upgrades: SuggestedTarget = {
  target_type: "solana_program_upgrade",
  config: {},
  reason: "The program is upgradeable: monitor upgrades.",
};
const authorityChanges: SuggestedTarget = {
  target_type: "solana_authority_change",
  config: {},
  reason: "Monitor changes of the authorities.",
};
const multisigChanges: SuggestedTarget = {
  target_type: "solana_authority_change",
  config: { account: "multisig" },
  reason: "The account is a multisig of Squads: monitor its threshold and its members.",
};
const nonceChanges: SuggestedTarget = {
  target_type: "solana_authority_change",
  config: { account: "nonce" },
  reason: "The account is a durable nonce: monitor who can use it.",
};
const traffic: SuggestedTarget = {
  target_type: "tx_rate",
  config: {},
  reason: "Monitor the number of transactions.",
};
const failures: SuggestedTarget = {
  target_type: "revert_rate",
  config: {},
  reason: "Monitor the share of failed transactions.",
};
const balance: SuggestedTarget = {
  target_type: "native_balance",
  config: {},
  reason: "Monitor the native balance.",
};
const supply: SuggestedTarget = {
  target_type: "token_supply",
  config: {},
  reason: "Monitor the total supply for mints and burns.",
};

const feedTargets: SuggestedTarget[] = [
  {
    target_type: "oracle_price",
    config: {},
    reason: "The account is a price feed: monitor its price.",
  },
  {
    target_type: "oracle_staleness",
    config: { heartbeat_seconds: 3600 },
    reason: "The account is a price feed: monitor the age of its price. An hour is assumed as its heartbeat.",
  },
];

/** Returns the recommended targets of a Solana address. */
export function suggestForAccount(facts: AccountFacts): SuggestedTarget[] {
  const { program, holding } = facts;
  switch (kindOf(facts)) {
    case "program":
      return [...(program.authority ? upgradesOf(program) : [failures]), ...vaultBalances(facts), traffic];
    case "mint":
      return [supply, ...(authoritiesOf(facts).length > 0 ? [authorityChanges] : []), traffic];
    case "token_account":
      return [
        {
          target_type: "token_balance",
          config: { token: holding?.mint },
          reason: "Monitor what the token account holds.",
        },
        {
          ...authorityChanges,
          config: { account: "token" },
          reason: "Monitor its owner, its delegate and its close authority.",
        },
        traffic,
      ];
    case "oracle_feed":
      return feedTargets;
    case "multisig":
      return [multisigChanges];
    case "nonce":
      return [nonceChanges];
    default:
      return [balance, traffic];
  }
}

/** The instructions of the loader v4 name the program itself. */
function upgradesOf({ loader }: AccountFacts["program"]): SuggestedTarget[] {
  if (loader !== loaderV4) return [upgrades, authorityChanges];
  return [
    { ...upgrades, config: { loader: "v4" } },
    { ...authorityChanges, config: { account: "program_v4" } },
  ];
}

/** The template on drains covers all tokens; more suggestions would hide the others. */
const maxVaultBalances = 3;

function vaultBalances(facts: AccountFacts): SuggestedTarget[] {
  return assetsOf(facts)
    .slice(0, maxVaultBalances)
    .map(({ token, symbol }) => ({
      target_type: "token_balance",
      config: { token },
      reason: `The program has vaults of ${symbol ?? "this token"}: monitor what they hold.`,
    }));
}
