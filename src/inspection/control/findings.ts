import type { Severity } from "../../lib/severity.ts";
import type { Facts } from "../classify/facts.ts";
import type { Power } from "./powers.ts";
import type { PrivilegedFunction } from "./privileged-functions.ts";

/** Something about a contract that somebody should know, and what would watch it. */
export type Finding = {
  id: string;
  severity: Severity;
  title: string;
  detail: string;
  target: { target_type: string; config: Record<string, unknown> } | null;
};

type Material = { facts: Facts; powers: readonly Power[]; privileged: readonly PrivilegedFunction[] };

/** One look for one thing. */
type Look = (material: Material) => Finding[];

const looks: readonly Look[] = [
  ({ facts: { resolved }, powers }) => {
    const [first] = resolved.hops;
    if (!first || first.kind === "eip1167" || first.kind === "eip7702") return [];
    const admin = powers.find(({ power }) => power === "proxy_admin" || power === "beacon_owner");
    const isOneKey = admin !== undefined && isSingleKey(admin);
    return [
      {
        id: "upgradeable",
        severity: isOneKey ? "critical" : "warning",
        title: isOneKey ? "A single key can replace the code" : "The code can be replaced",
        detail: `It is a proxy (${first.kind}).${admin ? ` ${who(admin)} can change what is behind it.` : ""}`,
        target: { target_type: "proxy_implementation", config: first.beacon ? { beacon: first.beacon } : {} },
      },
    ];
  },
  ({ powers }) => {
    const owner = powers.find(({ power }) => power === "owner");
    if (!owner) return [];
    return [
      {
        id: "owned",
        severity: isSingleKey(owner) ? "warning" : "info",
        title: isSingleKey(owner) ? "A single key owns the contract" : "The contract has an owner",
        detail: `${who(owner)} is the owner.`,
        target: { target_type: "ownership_change", config: {} },
      },
    ];
  },
  ({ powers }) => {
    const roles = powers.filter(({ power }) => power === "role");
    const keys = roles.filter(isSingleKey);
    if (roles.length === 0) return [];
    return [
      {
        id: "roles",
        severity: keys.length > 0 ? "warning" : "info",
        title: "Roles give power over the contract",
        detail: `${roles.length} holders of roles were found, ${keys.length} of them single keys.`,
        target: { target_type: "ownership_change", config: {} },
      },
    ];
  },
  ({ privileged }) =>
    has(privileged, "supply")
      ? [
          finding(
            "mintable",
            "warning",
            "The supply can be changed",
            "Somebody in power can make or destroy tokens.",
            "token_supply",
          ),
        ]
      : [],
  ({ facts, privileged }) =>
    facts.probes.has("paused") || has(privileged, "pause")
      ? [
          finding(
            "pausable",
            "info",
            "The contract can be paused",
            "Somebody in power can stop it.",
            "pause_state",
          ),
        ]
      : [],
  ({ privileged }) =>
    has(privileged, "blocklist")
      ? [
          {
            ...finding(
              "blocklist",
              "info",
              "Accounts can be blocked",
              "Somebody in power can keep accounts from using it.",
              "",
            ),
            target: null,
          },
        ]
      : [],
  ({ facts: { probes } }) => {
    const delay = probes.integer("minDelay");
    if (delay === undefined || delay >= 86_400n) return [];
    return [
      finding(
        "short_timelock",
        "warning",
        "The timelock is short",
        `Changes take effect after ${delay} seconds; a day or more lets people react.`,
        "timelock_delay",
      ),
    ];
  },
  ({ facts: { probes } }) => {
    const [threshold, owners] = [probes.integer("threshold"), probes.addresses("owners")];
    if (threshold !== 1n || owners.length === 0) return [];
    return [
      finding(
        "single_signer",
        "critical",
        "One signature is enough",
        `Any of the ${owners.length} owners can act alone.`,
        "ownership_change",
      ),
    ];
  },
  ({ facts: { probes } }) =>
    probes.has("latestAnswer")
      ? [
          finding(
            "price_feed",
            "info",
            "Others rely on its price",
            "A feed that stands still gives no sign of it by itself.",
            "oracle_staleness",
          ),
        ]
      : [],
  ({ facts: { abi, resolved } }) =>
    abi.is_verified === false && resolved.code !== "0x"
      ? [
          {
            ...finding(
              "unverified",
              "warning",
              "The source is not published",
              "What the code does can only be guessed from its bytes.",
              "",
            ),
            target: null,
          },
        ]
      : [],
];

export function collectFindings(material: Material): Finding[] {
  return looks.flatMap((look) => look(material));
}

function finding(
  id: string,
  severity: Finding["severity"],
  title: string,
  detail: string,
  target_type: string,
): Finding {
  return { id, severity, title, detail, target: { target_type, config: {} } };
}

function has(privileged: readonly PrivilegedFunction[], privilege: string): boolean {
  return privileged.some((one) => one.privilege === privilege);
}

/** Whether one key is enough, at once or through a contract that only passes it on. */
function isSingleKey({ holder }: Power): boolean {
  if (holder.kind === "safe") return holder.threshold === 1;
  return holder.kind === "eoa" || (holder.kind === "contract" && holder.owner?.kind === "eoa");
}

function who({ holder }: Power): string {
  switch (holder.kind) {
    case "eoa":
      return `The account ${holder.address}`;
    case "safe":
      return `A multisig (${holder.threshold} of ${holder.owners.length}) at ${holder.address}`;
    case "timelock":
      return `A timelock of ${holder.delay_seconds} seconds at ${holder.address}`;
    case "contract":
      return `The contract ${holder.address}${holder.owner ? `, owned by ${holder.owner.address},` : ""}`;
  }
}
