import type { Severity } from "../../lib/severity.ts";
import type { Facts } from "../classify/facts.ts";
import { proxyTargetConfig } from "../proxy-target.ts";
import { describeController, isSingleKey } from "./describe-controller.ts";
import type { Power } from "./powers.ts";
import type { Privilege, PrivilegedFunction } from "./privileged-functions.ts";

/** A risk or property of a contract that its operators should know, with the target that monitors it, if there is one. */
export type Finding = {
  id: string;
  severity: Severity;
  title: string;
  detail: string;
  target: { target_type: string; config: Record<string, unknown> } | null;
};

type Analysed = { facts: Facts; powers: readonly Power[]; privileged: readonly PrivilegedFunction[] };

/** Returns the findings of all checks. */
export function collectFindings(analysed: Analysed): Finding[] {
  return checks.flatMap((check) => check(analysed) ?? []);
}

const checks: readonly ((analysed: Analysed) => Finding | undefined)[] = [
  checkUpgradeability,
  checkOwner,
  checkRoles,
  checkSupply,
  checkPause,
  checkBlocklist,
  checkTimelock,
  checkMultisig,
  checkPriceFeed,
  checkSource,
];

function checkUpgradeability({ facts: { resolved }, powers }: Analysed): Finding | undefined {
  const [first] = resolved.hops;
  const config = first && proxyTargetConfig(first);
  if (!config) return undefined;
  if (config.kind === "eip7702") return delegatedWallet(config);
  const admin = powers.find(({ power }) => power === "proxy_admin" || power === "beacon_owner");
  const isOneKey = admin !== undefined && isSingleKey(admin.holder);
  const who = admin ? ` ${describeController(admin.holder)} can replace its implementation.` : "";
  return {
    id: "upgradeable",
    severity: isOneKey ? "critical" : "warning",
    title: isOneKey ? "A single key can upgrade the contract" : "The contract is upgradeable",
    detail: `The contract is a proxy (${first.kind}).${who} Monitor its upgrades.`,
    target: { target_type: "proxy_implementation", config },
  };
}

function delegatedWallet(config: Record<string, unknown>): Finding {
  return {
    id: "delegated",
    severity: "warning",
    title: "The wallet delegates to a contract",
    detail:
      "The wallet runs the code of a contract (EIP-7702), and its key can change that. Monitor its delegation.",
    target: { target_type: "proxy_implementation", config },
  };
}

function checkOwner({ powers }: Analysed): Finding | undefined {
  const owner = powers.find(({ power }) => power === "owner");
  if (!owner) return undefined;
  const isOneKey = isSingleKey(owner.holder);
  return {
    id: "owned",
    severity: isOneKey ? "warning" : "info",
    title: isOneKey ? "A single key owns the contract" : "The contract has an owner",
    detail: `${describeController(owner.holder)} is the owner. Monitor ownership transfers.`,
    target: target("ownership_change"),
  };
}

function checkRoles({ powers }: Analysed): Finding | undefined {
  const roles = powers.filter(({ power }) => power === "role");
  const keys = roles.filter(({ holder }) => isSingleKey(holder));
  if (roles.length === 0) return undefined;
  return {
    id: "roles",
    severity: keys.length > 0 ? "warning" : "info",
    title: "Roles control the contract",
    detail: `${roles.length} role assignments were found; ${keys.length} are held by a single key. Monitor role changes.`,
    target: target("ownership_change"),
  };
}

function checkSupply({ privileged }: Analysed): Finding | undefined {
  if (!hasPrivilege(privileged, "supply")) return undefined;
  return {
    id: "mintable",
    severity: "warning",
    title: "The token supply can be changed",
    detail: "Privileged accounts can mint or burn tokens. Monitor the total supply.",
    target: target("token_supply"),
  };
}

function checkPause({ facts, privileged }: Analysed): Finding | undefined {
  if (!facts.probes.has("paused") && !hasPrivilege(privileged, "pause")) return undefined;
  return {
    id: "pausable",
    severity: "info",
    title: "The contract can be paused",
    detail: "Privileged accounts can stop the contract. Monitor its pause state.",
    target: target("pause_state"),
  };
}

function checkBlocklist({ privileged }: Analysed): Finding | undefined {
  if (!hasPrivilege(privileged, "blocklist")) return undefined;
  return {
    id: "blocklist",
    severity: "info",
    title: "Accounts can be blocked",
    detail: "Privileged accounts can prevent addresses from using the contract.",
    target: null,
  };
}

function checkTimelock({ facts: { probes } }: Analysed): Finding | undefined {
  const delay = probes.integer("minDelay");
  if (delay === undefined || delay >= 86_400n) return undefined;
  return {
    id: "short_timelock",
    severity: "warning",
    title: "The timelock delay is short",
    detail: `Queued operations can be executed after ${delay} seconds. A delay of a day or more gives users time to react.`,
    target: target("timelock_delay"),
  };
}

function checkMultisig({ facts: { probes } }: Analysed): Finding | undefined {
  const [threshold, owners] = [probes.integer("threshold"), probes.addresses("owners")];
  if (threshold !== 1n || owners.length === 0) return undefined;
  return {
    id: "single_signer",
    severity: "critical",
    title: "The multisig requires only one signature",
    detail: `Each of the ${owners.length} owners can execute transactions alone. Monitor owner and threshold changes.`,
    target: target("ownership_change"),
  };
}

function checkPriceFeed({ facts: { probes } }: Analysed): Finding | undefined {
  if (!probes.has("latestAnswer")) return undefined;
  return {
    id: "price_feed",
    severity: "info",
    title: "Other contracts may rely on this price feed",
    detail: "A feed that is no longer updated still returns its last price. Monitor its staleness.",
    target: target("oracle_staleness"),
  };
}

function checkSource({ facts: { abi, resolved } }: Analysed): Finding | undefined {
  if (abi.is_verified !== false || resolved.code === "0x") return undefined;
  return {
    id: "unverified",
    severity: "warning",
    title: "The source code is not verified",
    detail: "The behaviour of the contract can only be inferred from its bytecode.",
    target: null,
  };
}

function target(target_type: string): Finding["target"] {
  return { target_type, config: {} };
}

function hasPrivilege(privileged: readonly PrivilegedFunction[], privilege: Privilege): boolean {
  return privileged.some((privilegedFunction) => privilegedFunction.privilege === privilege);
}
