import { labelText } from "@/features/contracts/columns.tsx";
import type { Contract } from "@/queries/contracts.ts";

export type ContractFilter = {
  q?: string | undefined;
  chain?: string | undefined;
  status?: string | undefined;
  label?: string | undefined;
};

/** A contract with its searchable text, which is computed once per list. */
type Indexed = { contract: Contract; text: string };

export function indexContracts(contracts: Contract[]): Indexed[] {
  return contracts.map((contract) => {
    const words = [
      contract.label,
      contract.address,
      contract.chain,
      contract.category,
      contract.contract_type,
    ];
    return { contract, text: [...words, ...contract.labels.map(labelText)].join(" ").toLowerCase() };
  });
}

export function filterContracts(indexed: Indexed[], { q, chain, status, label }: ContractFilter): Contract[] {
  const words = (q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const matches = ({ contract, text }: Indexed) =>
    (!chain || contract.chain === chain) &&
    (!status || contract.status === status) &&
    (!label || contract.labels.some((item) => labelText(item) === label)) &&
    words.every((word) => text.includes(word));
  return indexed.filter(matches).map(({ contract }) => contract);
}
