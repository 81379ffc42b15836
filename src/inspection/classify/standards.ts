import { type Facts, hasEvent, hasFunction } from "./facts.ts";

/** Returns the standards that a contract implements, judging by its functions and probe results. */
export function standardsOf(facts: Facts): string[] {
  return standards.filter(({ isImplemented }) => isImplemented(facts)).map(({ name }) => name);
}

const hasFunctions =
  (...signatures: string[]) =>
  (facts: Facts) =>
    signatures.every((signature) => hasFunction(facts, signature));

const standards: { name: string; isImplemented(facts: Facts): boolean }[] = [
  {
    name: "ERC-20",
    isImplemented: hasFunctions(
      "transfer(address,uint256)",
      "approve(address,uint256)",
      "balanceOf(address)",
      "totalSupply()",
    ),
  },
  {
    name: "ERC-2612",
    isImplemented: hasFunctions(
      "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
      "nonces(address)",
    ),
  },
  { name: "ERC-165", isImplemented: ({ probes }) => probes.supports("isErc165") },
  { name: "ERC-721", isImplemented: ({ probes }) => probes.supports("isErc721") },
  { name: "ERC-1155", isImplemented: ({ probes }) => probes.supports("isErc1155") },
  { name: "ERC-4626", isImplemented: hasFunctions("asset()", "totalAssets()", "convertToAssets(uint256)") },
  { name: "ERC-173", isImplemented: hasFunctions("owner()", "transferOwnership(address)") },
  { name: "AccessControl", isImplemented: ({ probes }) => probes.supports("isAccessControl") },
  {
    name: "Pausable",
    isImplemented: (facts) => facts.probes.has("paused") || hasEvent(facts, "Paused(address)"),
  },
  { name: "ERC-1822", isImplemented: hasFunctions("proxiableUUID()") },
  { name: "ERC-2535", isImplemented: ({ resolved }) => resolved.hops[0]?.kind === "diamond" },
  { name: "AggregatorV3", isImplemented: ({ probes }) => probes.has("latestAnswer") },
];
