import type { Address } from "@solana/kit";
import { bytesOfAddress } from "../../../src/chains/solana/accounts/address.ts";
import { type Cluster, type ExecutedTransaction, exactNumber, tokenPrograms } from "./cluster.ts";
import { decodedExtensions } from "./confidential.ts";
import type { NodeFaults, NodeReply, NodeRequest } from "./node.ts";

/** The methods that search something for an address. */
export const searches = new Set(["getSignaturesForAddress", "getTokenAccountsByOwner"]);

/** What a node with these faults answers. */
export function replyTo(
  cluster: Cluster,
  faults: NodeFaults,
  chance: () => number,
  { method, params }: NodeRequest,
): NodeReply {
  const head = cluster.head - faults.lag - Math.floor((1 - chance()) * faults.backendLag);
  const options = (params.findLast((one) => typeof one === "object" && one !== null) ?? {}) as Options;
  if ((options.minContextSlot ?? 0) > head)
    return rpcError(-32016, "Minimum context slot has not been reached");
  const [first] = params as [string & number];
  const fault = searches.has(method) ? faults.failing.get(String(first)) : undefined;
  if (typeof fault === "number") return rpcError(fault, "something went wrong");
  const context = { slot: head };
  switch (method) {
    case "getSlot":
      return { result: options.commitment === "finalized" ? Math.min(cluster.finalized, head) : head };
    case "getBlockTime":
      return timeOf(cluster, first, head);
    case "getFirstAvailableBlock":
      return { result: faults.firstSlot };
    case "getBlocks":
      return { result: cluster.all.map(({ slot }) => slot).filter((slot) => slot >= first && slot <= head) };
    case "getBlock": {
      const slot = cluster.at(first);
      return slot ? { result: { blockhash: `Hash${first}`, blockTime: slot.time } } : skipped(first);
    }
    case "getSignaturesForAddress":
      if (faults.forgetful && options.before) return { result: [] };
      if (faults.forgetsUntil && options.until) return rpcError(-32020, "Filter transaction not found");
      return {
        result: signaturesOf(cluster, first, options, head - faults.indexLag).filter(
          ({ slot }) => slot >= faults.firstSlot,
        ),
      };
    case "getSignatureStatuses":
      if (faults.forgetful) return { result: { context, value: (params[0] as string[]).map(() => null) } };
      return { result: { context, value: statusesOf(cluster, params[0] as string[], head) } };
    case "getTransaction":
      if ((options.maxSupportedTransactionVersion ?? 0) > faults.maxVersion)
        return rpcError(-32602, "Invalid params: unsupported transaction version");
      if (faults.newVersion) return rpcError(-32015, "Transaction version (2) is not supported");
      return chance() < faults.missing || faults.withheld.has(first)
        ? { result: null }
        : { result: transactionOf(cluster, first, head) };
    case "getBalance":
      return {
        result: { context, value: Number(cluster.svm.getBalance(first as unknown as Address) ?? 0n) },
      };
    case "getAccountInfo":
      if (String(first).startsWith("SysvarC1ock"))
        return { result: { context, value: clockOf(cluster, head) } };
      return { result: { context, value: accountOf(cluster, first, options) } };
    case "getMultipleAccounts":
      return {
        result: { context, value: (params[0] as string[]).map((one) => accountOf(cluster, one, options)) },
      };
    case "getTokenSupply": {
      const mint = cluster.mint(first);
      return mint
        ? { result: { context, value: mint } }
        : rpcError(-32602, "Invalid param: not a Token mint");
    }
    case "getTokenAccountBalance": {
      const held = cluster.tokenAccount(first);
      return held
        ? { result: { context, value: held.uiTokenAmount } }
        : rpcError(-32602, "Invalid param: could not find account");
    }
    case "getTokenAccountsByOwner":
      return { result: { context, value: holdingsOf(cluster, first, params[1] as { mint?: string }) } };
    default:
      return rpcError(-32601, "Method not found");
  }
}

type Options = {
  commitment?: string;
  minContextSlot?: number;
  before?: string;
  until?: string;
  limit?: number;
  dataSlice?: { offset: number; length: number };
  maxSupportedTransactionVersion?: number;
};

export const rpcError = (code: number, message: string) => ({ error: { code, message } });
const skipped = (slot: number) => rpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump`);

function timeOf(cluster: Cluster, slot: number, head: number) {
  if (slot > head) return rpcError(-32004, `Block not available for slot ${slot}`);
  const found = cluster.at(slot);
  return found ? { result: found.time } : skipped(slot);
}

type Placed = ExecutedTransaction & { slot: number; time: number };

function placed(cluster: Cluster, head: number): Placed[] {
  return cluster.all
    .filter(({ slot }) => slot <= head)
    .flatMap(({ slot, time, ran }) => ran.map((one) => ({ ...one, slot, time })));
}

function signaturesOf(
  cluster: Cluster,
  address: string,
  { before, until, limit = 1000 }: Options,
  head: number,
) {
  const newestFirst = placed(cluster, head)
    .filter(({ accounts }) => accounts.includes(address))
    .reverse();
  const from = before ? newestFirst.findIndex(({ signature }) => signature === before) + 1 : 0;
  // Real nodes return nothing for an unknown `before`.
  if (before && from === 0) return [];
  const end = until ? newestFirst.findIndex(({ signature }) => signature === until) : -1;
  return newestFirst
    .slice(from, end === -1 ? undefined : end)
    .slice(0, limit)
    .map(({ signature, slot, time, hasFailed }) => ({
      signature,
      slot,
      err: hasFailed ? { InstructionError: [0, "Custom"] } : null,
      memo: null,
      blockTime: time,
      confirmationStatus: slot <= cluster.finalized ? "finalized" : "confirmed",
    }));
}

function statusesOf(cluster: Cluster, signatures: string[], head: number) {
  const all = new Map(placed(cluster, head).map((one) => [one.signature, one]));
  return signatures.map((signature) => {
    const one = all.get(signature);
    return one ? { slot: one.slot, confirmationStatus: "confirmed", err: null } : null;
  });
}

function transactionOf(cluster: Cluster, signature: string, head: number) {
  const one = placed(cluster, head).find((ran) => ran.signature === signature);
  if (!one) return null;
  const { slot, time, transaction, meta } = one;
  return { slot, blockTime: time, transaction, meta, version: 0 };
}

/** The account with the slot and the time of the newest block. */
function clockOf(cluster: Cluster, head: number) {
  const newest = cluster.all.findLast(({ slot }) => slot <= head);
  const data = Buffer.alloc(40);
  data.writeBigUInt64LE(BigInt(newest?.slot ?? 0));
  data.writeBigInt64LE(BigInt(newest?.time ?? 0), 32);
  return { owner: "Sysvar1111111111111111111111111111111111111", data: [data.toString("base64"), "base64"] };
}

function accountOf(cluster: Cluster, address: string, { dataSlice }: Options) {
  const account = cluster.svm.getAccount(address as Address);
  if (!account.exists) return null;
  const { offset, length } = dataSlice ?? { offset: 0, length: account.data.length };
  const data = Buffer.from(account.data).subarray(offset, offset + length);
  return {
    owner: account.programAddress,
    executable: account.executable,
    lamports: exactNumber(account.lamports),
    data: [data.toString("base64"), "base64"],
  };
}

/** The token accounts of an owner, of one mint or of one token program. */
function holdingsOf(
  cluster: Cluster,
  owner: string,
  { mint, programId }: { mint?: string; programId?: string },
) {
  const programs = programId ? [programId] : tokenPrograms;
  const ownerBytes = bytesOfAddress(owner);
  return programs
    .flatMap((program) => cluster.svm.getProgramAccounts(program as Address))
    .filter(({ data }) => ownerBytes.equals(data.subarray(32, 64)))
    .flatMap(({ address, data }) => {
      const held = cluster.tokenAccount(address);
      if (held?.owner !== owner || (mint && held.mint !== mint)) return [];
      const extensions = decodedExtensions(Buffer.from(data));
      const info = { mint: held.mint, owner, tokenAmount: held.uiTokenAmount, extensions };
      return [{ pubkey: address, account: { data: { parsed: { info } } } }];
    });
}
