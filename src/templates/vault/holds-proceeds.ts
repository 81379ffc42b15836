import type { ContractFacts } from "../template.ts";

/** A collection holds what its sale has brought in, all of which its owner withdraws at any time. */
export function holdsProceeds({ contract_type }: ContractFacts): boolean {
  return contract_type === "erc721" || contract_type === "erc1155";
}
