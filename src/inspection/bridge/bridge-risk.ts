import { deadVerifiers, operatorOf } from "./layerzero-chains.ts";

export type RiskLevel = "critical" | "high" | "medium" | "low" | "inactive" | "unknown";

/** The receiving side of a route, which determines its risk. */
export type ReceiveSide = {
  /** The key of the receiving chain, which identifies the operators of verifiers. */
  chain: string;
  is_open: boolean;
  is_known_library: boolean;
  /** The previous library is still accepted. */
  has_grace_period: boolean;
  confirmations: string | null;
  required_dvns: string[];
  optional_dvns: string[];
  optional_threshold: number;
  is_default_config: boolean;
  /** A single key can change the configuration. */
  is_changed_by_eoa: boolean;
};

/** Returns the risk level of a route, with all reasons that were found. */
export function scoreRoute(side: ReceiveSide): { risk_level: RiskLevel; risk_reasons: string[] } {
  const dead = deadVerifiers.get(side.chain);
  if (!side.is_open)
    return { risk_level: "inactive", risk_reasons: ["The route is closed: no message is accepted."] };
  if (dead && side.required_dvns.includes(dead)) {
    return {
      risk_level: "inactive",
      risk_reasons: ["A required verifier never attests, so no message is accepted."],
    };
  }
  const risks = findRisks(side);
  const risk_level = (["critical", "high", "medium"] as const).find((level) =>
    risks.some((risk) => risk[0] === level),
  );
  if (!risk_level) {
    return {
      risk_level: "low",
      risk_reasons: [
        "Three or more independent verifiers, configured by the app itself, must attest each message.",
      ],
    };
  }
  return { risk_level, risk_reasons: risks.map(([, reason]) => reason) };
}

const unknownLibraryReason =
  "Messages are verified by an unknown receive library, so their verification cannot be assessed.";

function findRisks(side: ReceiveSide): ["critical" | "high" | "medium", string][] {
  if (!side.is_known_library) return [["high", unknownLibraryReason]];
  const verifiers = verifierCount(side);
  const operators = minOperatorCount(side);
  return [
    ...reasonIf(verifiers <= 1, "critical", "A single verifier can get any message accepted."),
    ...reasonIf(
      verifiers > 1 && operators === 1,
      "high",
      "All required verifiers are run by the same operator.",
    ),
    ...reasonIf(
      side.confirmations === "0",
      "high",
      "Messages are accepted without block confirmations on the source chain.",
    ),
    ...reasonIf(
      side.has_grace_period,
      "high",
      "The previous receive library is still accepted during its grace period.",
    ),
    ...reasonIf(
      verifiers > 1 && operators === 2,
      "medium",
      "Only two independent verifiers must attest each message; three are safer.",
    ),
    ...reasonIf(
      side.is_default_config,
      "medium",
      "The app uses the default verifiers, which LayerZero can change.",
    ),
    ...reasonIf(side.is_changed_by_eoa, "medium", "A single key can change the verifiers."),
  ];
}

function reasonIf<Level extends string>(is: boolean, level: Level, reason: string): [Level, string][] {
  return is ? [[level, reason]] : [];
}

/** Returns the number of distinct verifiers that must attest; a verifier in both lists counts once. */
function verifierCount({ required_dvns, optional_dvns, optional_threshold }: ReceiveSide): number {
  const required = new Set(required_dvns);
  const inBoth = optional_dvns.filter((dvn) => required.has(dvn)).length;
  return required.size + Math.max(0, optional_threshold - inBoth);
}

/** Returns the minimum number of operators that can get a message accepted. Unknown verifiers count as separate operators. */
function minOperatorCount({ chain, required_dvns, optional_dvns, optional_threshold }: ReceiveSide): number {
  const operator = (dvn: string) => operatorOf(chain, dvn) ?? dvn;
  const needed = new Set(required_dvns.map(operator));
  const groups = Map.groupBy(optional_dvns.map(operator), (name) => name);
  const covered = [...groups].filter(([name]) => needed.has(name)).flatMap(([, list]) => list).length;
  let remaining = optional_threshold - covered;
  const others = [...groups].filter(([name]) => !needed.has(name)).map(([, list]) => list.length);
  for (const size of others.toSorted((a, b) => b - a)) {
    if (remaining <= 0) break;
    remaining -= size;
    needed.add(`optional ${needed.size}`);
  }
  return needed.size;
}
