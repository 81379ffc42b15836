import { type Facts, hasEvent, hasFunction } from "./facts.ts";

/** The standards that a contract keeps, as far as its functions and its answers show. */
export function standardsOf(facts: Facts): string[] {
  return standards.filter(({ isKept }) => isKept(facts)).map(({ name }) => name);
}

const all =
  (...signatures: string[]) =>
  (facts: Facts) =>
    signatures.every((signature) => hasFunction(facts, signature));

const standards: { name: string; isKept(facts: Facts): boolean }[] = [
  {
    name: "ERC-20",
    isKept: all(
      "transfer(address,uint256)",
      "approve(address,uint256)",
      "balanceOf(address)",
      "totalSupply()",
    ),
  },
  {
    name: "ERC-2612",
    isKept: all("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", "nonces(address)"),
  },
  { name: "ERC-165", isKept: ({ answers }) => answers.supports("isErc165") },
  { name: "ERC-721", isKept: ({ answers }) => answers.supports("isErc721") },
  { name: "ERC-1155", isKept: ({ answers }) => answers.supports("isErc1155") },
  { name: "ERC-4626", isKept: all("asset()", "totalAssets()", "convertToAssets(uint256)") },
  { name: "ERC-173", isKept: all("owner()", "transferOwnership(address)") },
  { name: "AccessControl", isKept: ({ answers }) => answers.supports("isAccessControl") },
  { name: "Pausable", isKept: (facts) => facts.answers.has("paused") || hasEvent(facts, "Paused(address)") },
  { name: "ERC-1822", isKept: all("proxiableUUID()") },
  { name: "ERC-2535", isKept: ({ resolved }) => resolved.hops[0]?.kind === "diamond" },
  { name: "AggregatorV3", isKept: ({ answers }) => answers.has("latestAnswer") },
];
