import type { Read, ReadResult } from "../../chains/block.ts";
import { type DecodedValue, MalformedData } from "../../chains/decoding/decoded-value.ts";
import { decodeValues } from "../../chains/evm/abi/abi-data.ts";
import { compileFields } from "../../chains/evm/abi/abi-type.ts";
import { canonicalFunction } from "../../chains/evm/abi/signature.ts";
import { readCall, resultOf, UnreadableState } from "../state-results.ts";
import { blockedLibrary, type Deployment } from "./layerzero.ts";

const peers = "peers(uint32 eid) view returns (bytes32 peer)";
const getReceiveLibrary =
  "getReceiveLibrary(address receiver, uint32 srcEid) view returns (address lib, bool isDefault)";
const getConfig =
  "getConfig(address oapp, address lib, uint32 eid, uint32 configType) view returns (bytes config)";
const verifierConfigType = 2;

/** The number of reads per route. */
export const routeReadCount = 3;

/** The configuration of an incoming route from one chain. */
export type Route = {
  eid: number;
  /** The sender that the app accepts; null if the app has no peers(). */
  peer: string | null;
  library: string;
  is_default_library: boolean;
  is_open: boolean;
  /** The number of distinct verifiers that must attest a message. */
  verifiers: number;
  confirmations: string | null;
  required_dvns: string[];
  optional_dvns: string[];
  optional_threshold: number;
};

/** Returns the reads of the receiving side, which decides what is accepted, regardless of the sender's configuration. */
export function routeReads({ endpoint, receive_library }: Deployment, oapp: string, eid: number): Read[] {
  return [
    readCall(oapp, peers, [eid]),
    readCall(endpoint, getReceiveLibrary, [oapp, eid]),
    readCall(endpoint, getConfig, [oapp, receive_library, eid, verifierConfigType]),
  ];
}

/** Builds a route from the read results. Throws UnreadableState, because an unreadable route must not appear safe. */
export function readRoute(
  { receive_library }: Deployment,
  eid: number,
  [peerResult, libraryResult, configResult]: readonly ReadResult[],
): Route {
  const peer = peerOf(peerResult);
  const { lib, isDefault } = resultOf(libraryResult, getReceiveLibrary);
  const base = { eid, peer, library: String(lib), is_default_library: isDefault === true };
  const is_open = lib !== blockedLibrary && (peer === null || BigInt(peer) !== 0n);
  if (!is_open || lib !== receive_library) return { ...base, is_open, ...noVerification };
  const { config } = resultOf(configResult, getConfig);
  return { ...base, is_open, ...verificationOf(typeof config === "string" ? config : "0x", eid) };
}

const noVerification = {
  verifiers: 0,
  confirmations: null,
  required_dvns: [],
  optional_dvns: [],
  optional_threshold: 0,
};

/** Apps without peers() restrict senders in another way; their routes count as open. */
function peerOf(result: ReadResult | undefined): string | null {
  if (!result?.ok || result.data.length < 66) return null;
  return String(resultOf(result, peers).peer);
}

const ulnConfig = ulnFields();

function ulnFields() {
  const read = canonicalFunction(
    "f((uint64 confirmations, uint8 requiredCount, uint8 optionalCount, uint8 optionalThreshold, address[] required, address[] optional) config)",
  );
  if (!read.ok) throw new Error(read.problem);
  return compileFields(read.item.inputs);
}

function verificationOf(
  encoded: string,
  eid: number,
): Omit<Route, "eid" | "peer" | "library" | "is_default_library" | "is_open"> {
  const config = decodeUln(encoded, eid);
  const required_dvns = stringsIn(config.required);
  const optional_dvns = stringsIn(config.optional);
  const optional_threshold = Number(config.optionalThreshold);
  // A verifier in both lists attests only once.
  const inBoth = optional_dvns.filter((dvn) => required_dvns.includes(dvn)).length;
  const verifiers = new Set(required_dvns).size + Math.max(0, optional_threshold - inBoth);
  const confirmations = String(config.confirmations);
  return { verifiers, confirmations, required_dvns, optional_dvns, optional_threshold };
}

function decodeUln(encoded: string, eid: number): { [name: string]: DecodedValue } {
  try {
    const [config] = decodeValues(ulnConfig, Buffer.from(encoded.slice(2), "hex"));
    if (typeof config === "object" && !Array.isArray(config)) return config;
  } catch (error) {
    if (!(error instanceof MalformedData)) throw error;
  }
  throw new UnreadableState(
    `The verifier configuration of the route from endpoint ${eid} could not be decoded.`,
  );
}

function stringsIn(value: DecodedValue | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
