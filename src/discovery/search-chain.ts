import { getContractAddress, pad } from "viem";
import type { Hex } from "../chains/block.ts";
import type { ChainClient, FoundLog, PinnedBlock } from "../chains/chain-client.ts";
import { canonicalEvent } from "../chains/evm/abi/signature.ts";
import { parseAddress } from "../chains/evm/values/address.ts";
import { addressIn, integerIn } from "../inspection/classify/call-results.ts";
import { readCall } from "../meters/state-results.ts";
import type { RelatedContract, SearchResult } from "./related-contract.ts";

/** How far back logs are asked for; nodes may give less. */
const logDays = 90;
/** Blocks whose transactions are read one by one. */
const maxBlocks = 300;
/** Contracts that a wallet made itself are found by counting; so many are looked at. */
const maxNonces = 1_000;
const maxRequests = 40;
/** Of a wallet that approved or was sent thousands of things, the most frequent are looked at. */
const maxAddresses = 500;

const topicOf = (signature: string) => {
  const read = canonicalEvent(signature);
  if (!read.ok) throw new Error(read.problem);
  return read.selector as Hex;
};
const approval = topicOf("Approval(address,address,uint256)");
const approvalForAll = topicOf("ApprovalForAll(address,address,bool)");
const transfer = topicOf("Transfer(address,address,uint256)");
const ownership = topicOf("OwnershipTransferred(address,address)");

/** What plain nodes tell of a wallet: what it made, approved, holds and owns, and whom it called lately. */
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

/** The address of what a wallet makes follows from how many transactions it had sent before. */
async function searchDeployments(pinned: PinnedBlock, wallet: string): Promise<SearchResult> {
  const [result] = await pinned.read([{ kind: "nonce", address: wallet }]);
  if (!result?.ok || result.data === "0x")
    return { contracts: [], limitations: ["How many transactions the wallet sent could not be read."] };
  const sent = Number(BigInt(result.data));
  const first = Math.max(0, sent - maxNonces);
  const addresses = Array.from({ length: sent - first }, (_, index) =>
    getContractAddress({ from: wallet as Hex, nonce: BigInt(first + index) }),
  );
  const found = await filterContracts(pinned, addresses);
  const limitations =
    first > 0 ? [`Only contracts made by the last ${maxNonces} transactions were looked for.`] : [];
  return { contracts: found.map((address) => relatedContract(address, "deployed", 1, null)), limitations };
}

async function searchLogs(client: ChainClient, pinned: PinnedBlock, wallet: string): Promise<SearchResult> {
  const { height } = pinned.block;
  const span = Math.ceil((logDays * 86_400_000) / client.chain.block_time_ms);
  const from = Math.max(0, height - span);
  const walletTopic = pad(wallet.toLowerCase() as Hex, { size: 32 });
  const findLogs = (topics: (Hex | Hex[] | null)[]) => client.logs({ topics, from, to: height, maxRequests });
  const approvals = await findLogs([[approval, approvalForAll], walletTopic]);
  const received = await findLogs([transfer, null, walletTopic]);
  const owned = await findLogs([ownership, null, walletTopic]);
  const isTruncated = [approvals, received, owned].some(({ logs }) => logs.length > maxAddresses);
  const truncation = `Of its many approvals, tokens and contracts the ${maxAddresses} most frequent were looked at.`;
  const searchedRange = [approvals, received, owned].some(({ is_complete }) => !is_complete)
    ? [
        `Logs were seen only from block ${Math.max(approvals.searched_from, received.searched_from, owned.searched_from)} on.`,
      ]
    : from > 0
      ? [`Approvals, tokens and ownership were looked for in the last ${logDays} days.`]
      : [];
  const contracts = [
    ...(await spendersOf(pinned, approvals.logs)),
    ...(await heldTokens(pinned, wallet, received.logs)),
    ...(await ownedContracts(pinned, wallet, owned.logs)),
  ];
  return { contracts, limitations: [...searchedRange, ...(isTruncated ? [truncation] : [])] };
}

/** Whoever may move the wallet's tokens, and the tokens that it may move. */
async function spendersOf(pinned: PinnedBlock, logs: FoundLog[]): Promise<RelatedContract[]> {
  const spenders = mostFrequent(logs.flatMap(({ topics }) => addressInTopic(topics[2]) ?? []));
  const tokens = mostFrequent(logs.map(({ address }) => address));
  const found = new Set(await filterContracts(pinned, [...spenders.keys(), ...tokens.keys()]));
  return [
    ...[...spenders].map(([address, count]) => relatedContract(address, "approved", count, null)),
    ...[...tokens].map(([address, count]) => relatedContract(address, "interacted", count, null)),
  ].filter(({ address }) => found.has(address));
}

/** Most tokens that were ever sent to a wallet are worthless gifts: those that it still has count. */
async function heldTokens(pinned: PinnedBlock, wallet: string, logs: FoundLog[]): Promise<RelatedContract[]> {
  const tokens = [...mostFrequent(logs.map(({ address }) => address)).keys()];
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
  const contracts = [...mostFrequent(logs.map(({ address }) => address)).keys()];
  const declaration = "owner() view returns (address)";
  const results = await pinned.read(contracts.map((address) => readCall(address, declaration)));
  return contracts
    .filter((_, index) => addressIn(results[index], declaration)?.toLowerCase() === wallet.toLowerCase())
    .map((address) => relatedContract(address, "owned", 0, null));
}

/** The newest blocks, one by one: nothing else in a plain node tells whom a wallet called. */
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
  const limitations = from > 0 ? [`Calls were looked for in the last ${to - from + 1} blocks only.`] : [];
  return { contracts, limitations };
}

/** Those of some addresses that have code of their own; a person's account that points to code is still a person's. */
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

/** How often each address is there, the most frequent first, and no more of them than can be asked about. */
function mostFrequent(addresses: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, maxAddresses));
}
