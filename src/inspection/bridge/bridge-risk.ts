import { deadVerifiers, operatorOf } from "./layerzero-chains.ts";

export type RiskLevel = "critical" | "high" | "medium" | "low" | "inactive" | "unknown";

/** What decides how safe a route is, read where its messages arrive. */
export type ReceiveSide = {
  /** The service's name of the chain where they arrive, by which verifiers are known. */
  chain: string;
  is_open: boolean;
  is_known_library: boolean;
  /** An older library is still accepted for a while. */
  has_grace_period: boolean;
  confirmations: string | null;
  required_dvns: string[];
  optional_dvns: string[];
  optional_threshold: number;
  is_default_config: boolean;
  /** Whether a single key can change all this. */
  is_changed_by_eoa: boolean;
};

/** How risky it is to accept messages by a route, with every reason for the worst level found. */
export function scoreRoute(side: ReceiveSide): { risk_level: RiskLevel; risk_reasons: string[] } {
  const dead = deadVerifiers.get(side.chain);
  if (!side.is_open) return { risk_level: "inactive", risk_reasons: ["Nothing is accepted by this route."] };
  if (dead && side.required_dvns.includes(dead)) {
    return {
      risk_level: "inactive",
      risk_reasons: ["A required verifier never attests, so that nothing arrives."],
    };
  }
  const found = riskRules(side);
  const risk_level = (["critical", "high", "medium"] as const).find((level) =>
    found.some((one) => one[0] === level),
  );
  if (!risk_level) {
    return {
      risk_level: "low",
      risk_reasons: ["Three or more independent verifiers must agree, as the app itself says."],
    };
  }
  return { risk_level, risk_reasons: found.map(([, reason]) => reason) };
}

function riskRules(side: ReceiveSide): ["critical" | "high" | "medium", string][] {
  if (!side.is_known_library) {
    return [
      ["high", "Messages are verified by a library that is not known, so that nobody can vouch for it."],
    ];
  }
  const verifiers = verifierCount(side);
  const operators = fewestOperators(side);
  return [
    ...when(verifiers <= 1, "critical", "A single verifier can have any message accepted."),
    ...when(
      verifiers > 1 && operators === 1,
      "high",
      "All verifiers that must agree are run by the same operator.",
    ),
    ...when(
      side.confirmations === "0",
      "high",
      "Messages are accepted without waiting for a single confirmation.",
    ),
    ...when(side.has_grace_period, "high", "An earlier library is still accepted for a while."),
    ...when(
      verifiers > 1 && operators === 2,
      "medium",
      "Two independent verifiers must agree; three are safer.",
    ),
    ...when(
      side.is_default_config,
      "medium",
      "The verifiers are LayerZero's defaults, which LayerZero can change.",
    ),
    ...when(side.is_changed_by_eoa, "medium", "A single key can change who verifies messages."),
  ];
}

function when<Level extends string>(is: boolean, level: Level, reason: string): [Level, string][] {
  return is ? [[level, reason]] : [];
}

/** How many different verifiers must have agreed; one that is in both lists speaks only once. */
function verifierCount({ required_dvns, optional_dvns, optional_threshold }: ReceiveSide): number {
  const required = new Set(required_dvns);
  const inBoth = optional_dvns.filter((dvn) => required.has(dvn)).length;
  return required.size + Math.max(0, optional_threshold - inBoth);
}

/** The fewest operators who could together have a message accepted. Verifiers that nobody knows count as different ones. */
function fewestOperators({ chain, required_dvns, optional_dvns, optional_threshold }: ReceiveSide): number {
  const operator = (dvn: string) => operatorOf(chain, dvn) ?? dvn;
  const needed = new Set(required_dvns.map(operator));
  const groups = Map.groupBy(optional_dvns.map(operator), (one) => one);
  const already = [...groups].filter(([one]) => needed.has(one)).flatMap(([, list]) => list).length;
  let open = optional_threshold - already;
  const others = [...groups].filter(([one]) => !needed.has(one)).map(([, list]) => list.length);
  for (const size of others.toSorted((a, b) => b - a)) {
    if (open <= 0) break;
    open -= size;
    needed.add(`optional ${needed.size}`);
  }
  return needed.size;
}
