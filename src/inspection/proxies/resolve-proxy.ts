import type { Hex, Read, ReadResult } from "../../chains/block.ts";
import type { PinnedBlock } from "../../chains/chain-client.ts";
import { childImplementationFunction, implementationFunction } from "../../chains/evm/code/proxy-slots.ts";
import { ChainError } from "../../chains/reader.ts";
import { readCall, UnreadableState } from "../../meters/state-results.ts";
import { addressIn } from "../classify/call-results.ts";
import { proxyKinds } from "./index.ts";
import type { FoundProxy, ProxyKind } from "./proxy-kind.ts";

/** One step from a proxy to its implementation. */
export type Hop = {
  address: string;
  kind: string;
  implementations: string[];
  admin: string | null;
  beacon: string | null;
};

/** A contract with its chain of proxies. */
export type ResolvedProxy = {
  code: Hex;
  /** The first hop is the contract itself; empty if it is not a proxy. */
  hops: Hop[];
  /** The final implementations: the address itself if it is not a proxy, the facets of a diamond. */
  implementations: string[];
  /** The reason why the chain of proxies was not followed to its end. */
  problem: string | null;
};

const maxHops = 5;

/** Follows a proxy to its implementation at one block. Rejects with a ChainError if a read fails. */
export async function resolveProxy(pinned: PinnedBlock, address: string): Promise<ResolvedProxy> {
  const first = await readHop(pinned, address);
  const hops: Hop[] = [];
  let { hop } = first;
  while (hop) {
    hops.push(hop);
    const [implementation, ...furtherImplementations] = hop.implementations;
    const stoppedBy = (problem: string | null) => ({
      code: first.code,
      hops,
      implementations: hop?.implementations ?? [],
      problem,
    });
    if (!implementation) return stoppedBy("The beacon has no implementation.");
    if (furtherImplementations.length > 0) return stoppedBy(null);
    if (implementation === address || hops.some((hop) => hop.address === implementation))
      return stoppedBy("The chain of proxies is circular.");
    if (hops.length >= maxHops) return stoppedBy(`The chain of proxies is longer than ${maxHops}.`);
    hop = (await readHop(pinned, implementation)).hop;
  }
  return {
    code: first.code,
    hops,
    implementations: hops.at(-1)?.implementations ?? [address],
    problem: null,
  };
}

/** Reads slots first: a proxy found by its slots need not be called, and calls to a circular proxy are slow. */
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
  let offset = 0;
  for (const [index, { kind, detect }] of kinds.entries()) {
    const kindResults = results.slice(offset, offset + (reads[index]?.length ?? 0));
    offset += kindResults.length;
    const proxy = detectOrThrow(() => detect(code, kindResults));
    if (proxy) return { kind, found: proxy };
  }
  return undefined;
}

/** A failed read must not make a proxy look like an ordinary contract. */
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
  proxy: FoundProxy,
): Promise<Hop> {
  const { admin = null, beacon = null } = proxy;
  const implementations = beacon ? await readBeacon(pinned, beacon) : proxy.implementations;
  return { address, kind, implementations, admin, beacon };
}

/** Calls the beacon, which works for a beacon that is itself a proxy too. */
async function readBeacon(pinned: PinnedBlock, beacon: string): Promise<string[]> {
  const functions = [implementationFunction, childImplementationFunction];
  const results: ReadResult[] = await pinned.read(
    functions.map((declaration) => readCall(beacon, declaration)),
  );
  const named = functions.flatMap((declaration, index) => addressIn(results[index], declaration) ?? []);
  return named.slice(0, 1);
}
