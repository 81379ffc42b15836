import { getContractAddress, pad } from "viem";
import type { Hex } from "../chains/block.ts";
import type { ChainClient, FoundLog, PinnedBlock } from "../chains/chain-client.ts";
import { canonicalEvent } from "../chains/evm/abi/signature.ts";
import { parseAddress } from "../chains/evm/values/address.ts";
import { addressIn, integerIn } from "../inspection/classify/call-results.ts";
import { onFirstUse } from "../lib/caching/on-first-use.ts";
import { readCall } from "../meters/state-results.ts";
import type { RelatedContract, SearchResult } from "./related-contract.ts";

/** The search range of logs; endpoints may provide less. */
const logDays = 90;
/** The number of blocks whose transactions are read. */
const maxBlocks = 300;
/** The number of nonces for which the address of a deployed contract is computed. */
const maxNonces = 1_000;
const maxRequests = 40;
/** The number of addresses per relation; of more, the most frequent are kept. */
const maxAddresses = 500;

const topicOf = (signature: string) => {
  const read = canonicalEvent(signature);
  if (!read.ok) throw new Error(read.problem);
  return read.selector as Hex;
};
const topics = onFirstUse(() => ({
  approval: topicOf("Approval(address,address,uint256)"),
  approvalForAll: topicOf("ApprovalForAll(address,address,bool)"),
  transfer: topicOf("Transfer(address,address,uint256)"),
  ownership: topicOf("OwnershipTransferred(address,address)"),
}));

/** Searches the chain for contracts that a wallet deployed, approved, holds, owns or recently called. */
export async function searchChain(client: ChainClient, wallet: string): Promise<SearchResult> {
  const pinned = await client.pinLatestBlock();
  const searches = [
    await searchDeployments(pinned, wallet),
    await searchLogs(client, pinned, wallet),
    await searchTransactions(client, pinned, wallet),
  ];
  return {
    contracts: searches.flatMap(({ contracts }) => contracts),
    limitations: searches.flatMap(({ limitations }) => limitations),
  };
}

/** The address of a deployed contract follows from the wallet and its nonce. */
async function searchDeployments(pinned: PinnedBlock, wallet: string): Promise<SearchResult> {
  const [result] = await pinned.read([{ kind: "nonce", address: wallet }]);
  if (!result?.ok || result.data === "0x")
    return {
      contracts: [],
      limitations: ["The nonce of the wallet could not be read, so its deployments are missing."],
    };
  const sent = Number(BigInt(result.data));
  const first = Math.max(0, sent - maxNonces);
  const addresses = Array.from({ length: sent - first }, (_, index) =>
    getContractAddress({ from: wallet as Hex, nonce: BigInt(first + index) }),
  );
  const found = await filterContracts(pinned, addresses);
  const limitations =
    first > 0 ? [`Deployments are covered for the last ${maxNonces} transactions of the wallet only.`] : [];
  return { contracts: found.map((address) => relatedContract(address, "deployed", 1, null)), limitations };
}

async function searchLogs(client: ChainClient, pinned: PinnedBlock, wallet: string): Promise<SearchResult> {
  const { height } = pinned.block;
  const span = Math.ceil((logDays * 86_400_000) / client.chain.block_time_ms);
  const from = Math.max(0, height - span);
  const walletTopic = pad(wallet.toLowerCase() as Hex, { size: 32 });
  const findLogs = (topics: (Hex | Hex[] | null)[]) => client.logs({ topics, from, to: height, maxRequests });
  const { approval, approvalForAll, transfer, ownership } = topics();
  const approvals = await findLogs([[approval, approvalForAll], walletTopic]);
  const received = await findLogs([transfer, null, walletTopic]);
  const owned = await findLogs([ownership, null, walletTopic]);
  const isTruncated = [approvals, received, owned].some(({ logs }) => logs.length > maxAddresses);
  const truncation = `Only the ${maxAddresses} most frequent approvals, tokens and owned contracts are covered.`;
  const searchedRange = [approvals, received, owned].some(({ is_complete }) => !is_complete)
    ? [
        `Logs are covered from block ${Math.max(approvals.searched_from, received.searched_from, owned.searched_from)} on.`,
      ]
    : from > 0
      ? [`Approvals, tokens and ownership are covered for the last ${logDays} days only.`]
      : [];
  const contracts = [
    ...(await spendersOf(pinned, approvals.logs)),
    ...(await heldTokens(pinned, wallet, received.logs)),
    ...(await ownedContracts(pinned, wallet, owned.logs)),
  ];
  return { contracts, limitations: [...searchedRange, ...(isTruncated ? [truncation] : [])] };
}

/** Returns the spenders that the wallet approved, and the tokens of these approvals. */
async function spendersOf(pinned: PinnedBlock, logs: FoundLog[]): Promise<RelatedContract[]> {
  const spenders = byFrequency(logs.flatMap(({ topics }) => addressInTopic(topics[2]) ?? []));
  const tokens = byFrequency(logs.map(({ address }) => address));
  const found = new Set(await filterContracts(pinned, [...spenders.keys(), ...tokens.keys()]));
  return [
    ...[...spenders].map(([address, count]) => relatedContract(address, "approved", count, null)),
    ...[...tokens].map(([address, count]) => relatedContract(address, "interacted", count, null)),
  ].filter(({ address }) => found.has(address));
}

/** Returns the received tokens with a balance. Most tokens sent to a wallet are spam or were moved on. */
async function heldTokens(pinned: PinnedBlock, wallet: string, logs: FoundLog[]): Promise<RelatedContract[]> {
  const tokens = [...byFrequency(logs.map(({ address }) => address)).keys()];
  const declaration = "balanceOf(address) view returns (uint256)";
  const results = await pinned.read(tokens.map((token) => readCall(token, declaration, [wallet])));
  return tokens
    .filter((_, index) => (integerIn(results[index], declaration) ?? 0n) > 0n)
    .map((address) => relatedContract(address, "token_held", 0, null));
}

async function ownedContracts(
  pinned: PinnedBlock,
  wallet: string,
  logs: FoundLog[],
): Promise<RelatedContract[]> {
  const contracts = [...byFrequency(logs.map(({ address }) => address)).keys()];
  const declaration = "owner() view returns (address)";
  const results = await pinned.read(contracts.map((address) => readCall(address, declaration)));
  return contracts
    .filter((_, index) => addressIn(results[index], declaration)?.toLowerCase() === wallet.toLowerCase())
    .map((address) => relatedContract(address, "owned", 0, null));
}

/** Reads the newest blocks, because an endpoint has no index of the transactions of a wallet. */
async function searchTransactions(
  client: ChainClient,
  pinned: PinnedBlock,
  wallet: string,
): Promise<SearchResult> {
  const to = pinned.block.height;
  const from = Math.max(0, to - maxBlocks + 1);
  const all = await client.transactions(from, to);
  const sent = all.filter((one) => one.from.toLowerCase() === wallet.toLowerCase());
  const called = sent.flatMap((one) => (one.to === null ? [] : [{ address: one.to, time: one.time }]));
  const withCode = new Set(
    await filterContracts(
      pinned,
      called.map(({ address }) => address),
    ),
  );
  const groups = Map.groupBy(called, ({ address }) => address);
  const contracts = [...groups]
    .filter(([address]) => withCode.has(address))
    .map(([address, group]) =>
      relatedContract(address, "interacted", group.length, Math.max(...group.map(({ time }) => time))),
    );
  const limitations = from > 0 ? [`Calls are covered for the last ${to - from + 1} blocks only.`] : [];
  return { contracts, limitations };
}

/** Returns the addresses with code. An account with an EIP-7702 delegation is not a contract. */
export async function filterContracts(pinned: PinnedBlock, addresses: readonly string[]): Promise<string[]> {
  const candidates = distinct(addresses);
  const found: string[] = [];
  for (let from = 0; from < candidates.length; from += 200) {
    const batch = candidates.slice(from, from + 200);
    const results = await pinned.read(batch.map((address) => ({ kind: "code", address })));
    found.push(
      ...batch.filter((_, index) => {
        const result = results[index];
        return result?.ok && result.data !== "0x" && !result.data.startsWith("0xef0100");
      }),
    );
  }
  return found;
}

function relatedContract(
  address: string,
  relation: RelatedContract["relation"],
  tx_count: number,
  last_at: number | null,
): RelatedContract {
  return { address, relation, tx_count, last_at };
}

function addressInTopic(topic: Hex | undefined): string | undefined {
  return topic ? parseAddress(`0x${topic.slice(-40)}`) : undefined;
}

const distinct = (addresses: readonly string[]) => [...new Set(addresses)];

/** Counts the addresses and returns the most frequent first, up to the maximum. */
function byFrequency(addresses: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, maxAddresses));
}
