import { getContractAddress, pad } from "viem";
import type { Hex } from "../chains/block.ts";
import type { ChainClient, FoundLog, PinnedBlock } from "../chains/chain-client.ts";
import { canonicalEvent } from "../chains/evm/abi/signature.ts";
import { parseAddress } from "../chains/evm/values/address.ts";
import { addressIn, integerIn } from "../inspection/classify/call-results.ts";
import { readCall } from "../meters/state-results.ts";
import type { Finding, SearchResult } from "./finding.ts";

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
  const moment = await client.pinLatestBlock();
  const looks = [
    await searchDeployments(moment, wallet),
    await searchLogs(client, moment, wallet),
    await searchTransactions(client, moment, wallet),
  ];
  return {
    findings: looks.flatMap(({ findings }) => findings),
    unseen: looks.flatMap(({ unseen }) => unseen),
  };
}

/** The address of what a wallet makes follows from how many transactions it had sent before. */
async function searchDeployments(moment: PinnedBlock, wallet: string): Promise<SearchResult> {
  const [result] = await moment.read([{ kind: "nonce", address: wallet }]);
  if (!result?.ok || result.data === "0x")
    return { findings: [], unseen: ["How many transactions the wallet sent could not be read."] };
  const sent = Number(BigInt(result.data));
  const first = Math.max(0, sent - maxNonces);
  const addresses = Array.from({ length: sent - first }, (_, index) =>
    getContractAddress({ from: wallet as Hex, nonce: BigInt(first + index) }),
  );
  const found = await keepContracts(moment, addresses);
  const unseen =
    first > 0 ? [`Only contracts made by the last ${maxNonces} transactions were looked for.`] : [];
  return { findings: found.map((address) => finding(address, "deployed", 1, null)), unseen };
}

async function searchLogs(client: ChainClient, moment: PinnedBlock, wallet: string): Promise<SearchResult> {
  const { height } = moment.block;
  const span = Math.ceil((logDays * 86_400_000) / client.chain.block_time_ms);
  const from = Math.max(0, height - span);
  const who = pad(wallet.toLowerCase() as Hex, { size: 32 });
  const ask = (topics: (Hex | Hex[] | null)[]) => client.logs({ topics, from, to: height, maxRequests });
  const approvals = await ask([[approval, approvalForAll], who]);
  const received = await ask([transfer, null, who]);
  const owned = await ask([ownership, null, who]);
  const isCrowded = [approvals, received, owned].some(({ logs }) => logs.length > maxAddresses);
  const crowded = `Of its many approvals, tokens and contracts the ${maxAddresses} most frequent were looked at.`;
  const bounds = [approvals, received, owned].some(({ is_complete }) => !is_complete)
    ? [
        `Logs were seen only from block ${Math.max(approvals.searched_from, received.searched_from, owned.searched_from)} on.`,
      ]
    : from > 0
      ? [`Approvals, tokens and ownership were looked for in the last ${logDays} days.`]
      : [];
  const findings = [
    ...(await spendersOf(moment, approvals.logs)),
    ...(await heldTokens(moment, wallet, received.logs)),
    ...(await ownedContracts(moment, wallet, owned.logs)),
  ];
  return { findings, unseen: [...bounds, ...(isCrowded ? [crowded] : [])] };
}

/** Whoever may move the wallet's tokens, and the tokens that it may move. */
async function spendersOf(moment: PinnedBlock, logs: FoundLog[]): Promise<Finding[]> {
  const spenders = mostFrequent(logs.flatMap(({ topics }) => addressIn32(topics[2]) ?? []));
  const tokens = mostFrequent(logs.map(({ address }) => address));
  const found = new Set(await keepContracts(moment, [...spenders.keys(), ...tokens.keys()]));
  return [
    ...[...spenders].map(([address, count]) => finding(address, "approved", count, null)),
    ...[...tokens].map(([address, count]) => finding(address, "interacted", count, null)),
  ].filter(({ address }) => found.has(address));
}

/** Most tokens that were ever sent to a wallet are worthless gifts: those that it still has count. */
async function heldTokens(moment: PinnedBlock, wallet: string, logs: FoundLog[]): Promise<Finding[]> {
  const tokens = [...mostFrequent(logs.map(({ address }) => address)).keys()];
  const question = "balanceOf(address) view returns (uint256)";
  const results = await moment.read(tokens.map((token) => readCall(token, question, [wallet])));
  return tokens
    .filter((_, index) => (integerIn(results[index], question) ?? 0n) > 0n)
    .map((address) => finding(address, "token_held", 0, null));
}

async function ownedContracts(moment: PinnedBlock, wallet: string, logs: FoundLog[]): Promise<Finding[]> {
  const contracts = [...mostFrequent(logs.map(({ address }) => address)).keys()];
  const question = "owner() view returns (address)";
  const results = await moment.read(contracts.map((address) => readCall(address, question)));
  return contracts
    .filter((_, index) => addressIn(results[index], question)?.toLowerCase() === wallet.toLowerCase())
    .map((address) => finding(address, "owned", 0, null));
}

/** The newest blocks, one by one: nothing else in a plain node tells whom a wallet called. */
async function searchTransactions(
  client: ChainClient,
  moment: PinnedBlock,
  wallet: string,
): Promise<SearchResult> {
  const to = moment.block.height;
  const from = Math.max(0, to - maxBlocks + 1);
  const all = await client.transactions(from, to);
  const own = all.filter((one) => one.from.toLowerCase() === wallet.toLowerCase());
  const called = own.flatMap((one) => (one.to === null ? [] : [{ address: one.to, time: one.time }]));
  const contracts = new Set(
    await keepContracts(
      moment,
      called.map(({ address }) => address),
    ),
  );
  const groups = Map.groupBy(called, ({ address }) => address);
  const findings = [...groups]
    .filter(([address]) => contracts.has(address))
    .map(([address, group]) =>
      finding(address, "interacted", group.length, Math.max(...group.map(({ time }) => time))),
    );
  const unseen = from > 0 ? [`Calls were looked for in the last ${to - from + 1} blocks only.`] : [];
  return { findings, unseen };
}

/** Those of some addresses that have code of their own; a person's account that points to code is still a person's. */
export async function keepContracts(moment: PinnedBlock, addresses: readonly string[]): Promise<string[]> {
  const asked = distinct(addresses);
  const found: string[] = [];
  for (let from = 0; from < asked.length; from += 200) {
    const some = asked.slice(from, from + 200);
    const results = await moment.read(some.map((address) => ({ kind: "code", address })));
    found.push(
      ...some.filter((_, index) => {
        const result = results[index];
        return result?.ok && result.data !== "0x" && !result.data.startsWith("0xef0100");
      }),
    );
  }
  return found;
}

function finding(
  address: string,
  relation: Finding["relation"],
  tx_count: number,
  last_at: number | null,
): Finding {
  return { address, relation, tx_count, last_at };
}

function addressIn32(topic: Hex | undefined): string | undefined {
  return topic ? parseAddress(`0x${topic.slice(-40)}`) : undefined;
}

const distinct = (addresses: readonly string[]) => [...new Set(addresses)];

/** How often each address is there, the most frequent first, and no more of them than can be asked about. */
function mostFrequent(addresses: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const address of addresses) counts.set(address, (counts.get(address) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a).slice(0, maxAddresses));
}
