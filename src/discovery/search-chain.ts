import type { Hex } from "../chains/block.ts";
import type { ChainClient, FoundLog, PinnedBlock } from "../chains/chain-client.ts";
import { canonicalEvent } from "../chains/evm/abi/signature.ts";
import { contractAddress, parseAddress } from "../chains/evm/values/address.ts";
import { pad } from "../chains/evm/values/hex.ts";
import { addressIn, integerIn } from "../inspection/classify/call-results.ts";
import { onFirstUse } from "../lib/caching/on-first-use.ts";
import { readCall } from "../meters/state-results.ts";
import type { RelatedAddress, SearchResult } from "./related-address.ts";
import { splitByCode } from "./split-by-code.ts";

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

/** Searches the chain for what a wallet deployed, approved, holds, owns or recently sent transactions to. */
export async function searchChain(client: ChainClient, wallet: string): Promise<SearchResult> {
  const pinned = await client.pinLatestBlock();
  const searches = [
    await searchDeployments(pinned, wallet),
    await searchLogs(client, pinned, wallet),
    await searchTransactions(client, pinned, wallet),
  ];
  return {
    addresses: searches.flatMap(({ addresses }) => addresses),
    limitations: searches.flatMap(({ limitations }) => limitations),
  };
}

/** The address of a deployed contract follows from the wallet and its nonce. */
async function searchDeployments(pinned: PinnedBlock, wallet: string): Promise<SearchResult> {
  const [result] = await pinned.read([{ kind: "nonce", address: wallet }]);
  if (!result?.ok || result.data === "0x")
    return {
      addresses: [],
      limitations: ["The nonce of the wallet could not be read, so its deployments are missing."],
    };
  const sent = Number(BigInt(result.data));
  const first = Math.max(0, sent - maxNonces);
  const addresses = Array.from({ length: sent - first }, (_, index) =>
    contractAddress(wallet, BigInt(first + index)),
  );
  const { contracts } = await splitByCode(pinned, addresses);
  const limitations =
    first > 0 ? [`Deployments are covered for the last ${maxNonces} transactions of the wallet only.`] : [];
  return { addresses: contracts.map((address) => relatedAddress(address, "deployed", 1, null)), limitations };
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
  const addresses = [
    ...(await spendersOf(pinned, approvals.logs)),
    ...(await heldTokens(pinned, wallet, received.logs)),
    ...(await ownedContracts(pinned, wallet, owned.logs)),
  ];
  return { addresses, limitations: [...searchedRange, ...(isTruncated ? [truncation] : [])] };
}

/** Returns the spenders that the wallet approved, wallets included, and the tokens of these approvals. */
async function spendersOf(pinned: PinnedBlock, logs: FoundLog[]): Promise<RelatedAddress[]> {
  const spenders = byFrequency(logs.flatMap(({ topics }) => addressInTopic(topics[2]) ?? []));
  const tokens = byFrequency(logs.map(({ address }) => address));
  const existing = new Set((await splitByCode(pinned, [...tokens.keys()])).contracts);
  return [
    ...[...spenders].map(([address, count]) => relatedAddress(address, "approved", count, null)),
    ...[...tokens]
      .filter(([address]) => existing.has(address))
      .map(([address, count]) => relatedAddress(address, "interacted", count, null)),
  ];
}

/** Returns the received tokens with a balance. Most tokens sent to a wallet are spam or were moved on. */
async function heldTokens(pinned: PinnedBlock, wallet: string, logs: FoundLog[]): Promise<RelatedAddress[]> {
  const tokens = [...byFrequency(logs.map(({ address }) => address)).keys()];
  const declaration = "balanceOf(address) view returns (uint256)";
  const results = await pinned.read(tokens.map((token) => readCall(token, declaration, [wallet])));
  return tokens
    .filter((_, index) => (integerIn(results[index], declaration) ?? 0n) > 0n)
    .map((address) => relatedAddress(address, "token_held", 0, null));
}

async function ownedContracts(
  pinned: PinnedBlock,
  wallet: string,
  logs: FoundLog[],
): Promise<RelatedAddress[]> {
  const contracts = [...byFrequency(logs.map(({ address }) => address)).keys()];
  const declaration = "owner() view returns (address)";
  const results = await pinned.read(contracts.map((address) => readCall(address, declaration)));
  return contracts
    .filter((_, index) => addressIn(results[index], declaration)?.toLowerCase() === wallet.toLowerCase())
    .map((address) => relatedAddress(address, "owned", 0, null));
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
  const sent = all.filter(
    (transactionSummary) => transactionSummary.from.toLowerCase() === wallet.toLowerCase(),
  );
  const called = sent.flatMap((transactionSummary) =>
    transactionSummary.to === null ? [] : [{ address: transactionSummary.to, time: transactionSummary.time }],
  );
  const addresses = [...Map.groupBy(called, ({ address }) => address)].map(([address, group]) =>
    relatedAddress(address, "interacted", group.length, Math.max(...group.map(({ time }) => time))),
  );
  const limitations = from > 0 ? [`Calls are covered for the last ${to - from + 1} blocks only.`] : [];
  return { addresses, limitations };
}

function relatedAddress(
  address: string,
  relation: RelatedAddress["relation"],
  tx_count: number,
  last_at: number | null,
): RelatedAddress {
  return { address, relation, tx_count, last_at };
}

function addressInTopic(topic: Hex | undefined): string | undefined {
  return topic ? parseAddress(`0x${topic.slice(-40)}`) : undefined;
}

/** Counts the addresses and returns the most frequent first, up to the maximum. */
function byFrequency(addresses: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, maxAddresses));
}
