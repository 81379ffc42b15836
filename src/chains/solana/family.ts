import type { ChainFamily } from "../family.ts";
import { parseSolanaAddress } from "./accounts/address.ts";
import { needsOwnCall } from "./accounts/own-calls.ts";
import { checkSolanaEndpoint } from "./check-endpoint.ts";
import { openSolanaClient } from "./client.ts";
import { decodeSolanaBlock } from "./decode-block.ts";
import { solanaDiscovery } from "./discover-accounts.ts";
import { estimateSolanaNeeds } from "./heads/estimate-calls.ts";
import { parseIdl } from "./idl/idl.ts";
import { compileSolanaItem } from "./named-item.ts";
import { makeSolanaReader } from "./reader.ts";
import { checkStream } from "./stream/check-stream.ts";
import { compileSolanaSubject } from "./subject.ts";

export const solanaFamily: ChainFamily = {
  parseAddress: parseSolanaAddress,
  openReader: ({ chain: _, ...options }) => makeSolanaReader(options),
  estimateCalls: (_chain, needs) => estimateSolanaNeeds(needs),
  needsOwnCall: needsOwnCall,
  checkEndpoint: checkSolanaEndpoint,
  checkStream,
  openClient: openSolanaClient,
  findInterfaceProblem(input) {
    const read = parseIdl(input);
    return read.ok ? undefined : read.problem;
  },
  compileSubject: compileSolanaSubject,
  decodeBlock: decodeSolanaBlock,
  compileFunction: (signature) => compileSolanaItem(signature, "function"),
  compileEvent: (signature) => compileSolanaItem(signature, "event"),
  transactionFields: ({ solana, failure }) =>
    solana ? { fee: solana.fee, error: solana.error ?? "", error_name: failure?.error_name ?? "" } : {},
  code: solanaDiscovery,
};
