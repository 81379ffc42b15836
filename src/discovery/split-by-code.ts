import type { PinnedBlock } from "../chains/chain-client.ts";

const batchSize = 200;

/**
 * Separates contracts from wallets. An account with an EIP-7702 delegation is a wallet. An address whose code could not be read
 * is neither.
 */
export async function splitByCode(
  pinned: PinnedBlock,
  addresses: readonly string[],
): Promise<{ contracts: string[]; wallets: string[] }> {
  const distinct = [...new Set(addresses)];
  const split: { contracts: string[]; wallets: string[] } = { contracts: [], wallets: [] };
  for (let from = 0; from < distinct.length; from += batchSize) {
    const batch = distinct.slice(from, from + batchSize);
    const results = await pinned.read(batch.map((address) => ({ kind: "code", address })));
    for (const [index, address] of batch.entries()) {
      const result = results[index];
      if (result?.ok) split[isContractCode(result.data) ? "contracts" : "wallets"].push(address);
    }
  }
  return split;
}

function isContractCode(code: string): boolean {
  return code !== "0x" && !code.startsWith("0xef0100");
}
