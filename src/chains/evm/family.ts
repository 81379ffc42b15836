import type { ChainFamily } from "../family.ts";
import { compileAbi } from "./abi/abi.ts";
import { checkEvmEndpoint } from "./check-endpoint.ts";
import { openEvmClient } from "./client.ts";
import { evmCodeDiscovery } from "./code/discover-code.ts";
import { decodeEvmBlock } from "./decode-block.ts";
import { estimateNeeds } from "./heads/estimate-needs.ts";
import { compileEvmEvent, compileEvmFunction } from "./named-item.ts";
import { makeEvmReader } from "./reader.ts";
import { compileEvmSubject } from "./subject.ts";
import { holdersInTransfers } from "./transfers/token-transfers.ts";
import { parseAddress } from "./values/address.ts";

export const evmFamily: ChainFamily = {
  parseAddress,
  openReader: ({ onHint: _, stream: __, ...options }) => makeEvmReader(options),
  estimateCalls: estimateNeeds,
  checkEndpoint: checkEvmEndpoint,
  openClient: openEvmClient,
  findInterfaceProblem(input) {
    const read = compileAbi(input);
    return read.ok ? undefined : read.problem;
  },
  compileSubject: compileEvmSubject,
  decodeBlock: decodeEvmBlock,
  mentionedIn: holdersInTransfers,
  compileFunction: compileEvmFunction,
  compileEvent: compileEvmEvent,
  transactionFields: () => ({}),
  code: evmCodeDiscovery,
};
