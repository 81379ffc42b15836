import type { Hex, Read, ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { implementationFunction } from "../../chains/evm/code/proxy-slots.ts";
import { ChainError } from "../../chains/reader.ts";
import { readCall, UnreadableState } from "../../meters/state-results.ts";
import { addressIn } from "../classify/call-results.ts";
import { proxyKinds } from "./index.ts";
import type { FoundProxy, ProxyKind } from "./proxy-kind.ts";

/** One step from a proxy to what is behind it. */
export type Hop = {
  address: string;
  kind: string;
  implementations: string[];
  admin: string | null;
  beacon: string | null;
};

/** A contract and everything that stands behind it. */
export type ResolvedProxy = {
  code: Hex;
  /** The first is the contract itself; none when it is no proxy. */
  hops: Hop[];
  /** Where the code is that runs in the end: the address itself when it is no proxy, several of a diamond. */
  implementations: string[];
  /** Why the way was not followed to its end. */
  problem: string | null;
};

const maxHops = 5;
const childImplementation = "childImplementation() view returns (address)";

/** Follows a proxy to its code, everything at one block. Rejects with a ChainError when what it is cannot be told. */
export async function resolveProxy(pinned: PinnedBlock, address: string): Promise<ResolvedProxy> {
  const first = await readHop(pinned, address);
  const hops: Hop[] = [];
  let { hop } = first;
  while (hop) {
    hops.push(hop);
    const [next, ...others] = hop.implementations;
    const stopAt = (problem: string | null) => ({
      code: first.code,
      hops,
      implementations: hop?.implementations ?? [],
      problem,
    });
    if (!next) return stopAt("The beacon does not name an implementation.");
    if (others.length > 0) return stopAt(null);
    if (next === address || hops.some((one) => one.address === next))
      return stopAt("The proxies lead back to themselves.");
    if (hops.length >= maxHops) return stopAt(`Behind ${maxHops} proxies there is yet another.`);
    hop = (await readHop(pinned, next)).hop;
  }
  return {
    code: first.code,
    hops,
    implementations: hops.at(-1)?.implementations ?? [address],
    problem: null,
  };
}

/** Slots first: what they show makes it needless to call a contract, which may go round in circles. */
async function readHop(pinned: PinnedBlock, address: string): Promise<{ code: Hex; hop: Hop | undefined }> {
  const slotKinds = proxyKinds.filter((kind) => !needsCalls(kind, address));
  const slotReads = slotKinds.map((kind) => kind.reads(address));
  const [codeResult, ...slotResults] = await pinned.read([{ kind: "code", address }, ...slotReads.flat()]);
  if (!codeResult?.ok) throw new ChainError(`The code at ${address} could not be read.`);
  const code = codeResult.data;
  if (code === "0x") return { code, hop: undefined };
  const bySlots = detectAmong(slotKinds, slotReads, code, slotResults);
  if (bySlots) return { code, hop: await describeHop(pinned, address, bySlots.kind, bySlots.found) };
  const callKinds = proxyKinds.filter((kind) => needsCalls(kind, address));
  const callReads = callKinds.map((kind) => kind.reads(address));
  const byCalls = detectAmong(callKinds, callReads, code, await pinned.read(callReads.flat()));
  return { code, hop: byCalls && (await describeHop(pinned, address, byCalls.kind, byCalls.found)) };
}

function needsCalls({ reads }: ProxyKind, address: string): boolean {
  return reads(address).some(({ kind }) => kind === "call");
}

function detectAmong(
  kinds: readonly ProxyKind[],
  reads: readonly Read[][],
  code: Hex,
  results: readonly ReadResult[],
): { kind: string; found: FoundProxy } | undefined {
  let at = 0;
  for (const [index, { kind, detect }] of kinds.entries()) {
    const kindResults = results.slice(at, at + (reads[index]?.length ?? 0));
    at += kindResults.length;
    const found = detectOrThrow(() => detect(code, kindResults));
    if (found) return { kind, found };
  }
  return undefined;
}

/** What could not be read must not look like a contract that is no proxy. */
function detectOrThrow(detect: () => FoundProxy | undefined): FoundProxy | undefined {
  try {
    return detect();
  } catch (error) {
    if (error instanceof UnreadableState) throw new ChainError(error.message);
    throw error;
  }
}

async function describeHop(
  pinned: PinnedBlock,
  address: string,
  kind: string,
  found: FoundProxy,
): Promise<Hop> {
  const { admin = null, beacon = null } = found;
  const implementations = beacon ? await readBeacon(pinned, beacon) : found.implementations;
  return { address, kind, implementations, admin, beacon };
}

/** A beacon may itself be a proxy; asked through its own functions, that makes no difference. */
async function readBeacon(pinned: PinnedBlock, beacon: string): Promise<string[]> {
  const functions = [implementationFunction, childImplementation];
  const results: ReadResult[] = await pinned.read(
    functions.map((declaration) => readCall(beacon, declaration)),
  );
  const named = functions.flatMap((declaration, index) => addressIn(results[index], declaration) ?? []);
  return named.slice(0, 1);
}
