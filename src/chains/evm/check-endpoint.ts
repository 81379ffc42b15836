import type { EndpointCheck, EndpointCheckOptions } from "../family.ts";
import { checkEndpoint, type EndpointQuestions } from "../rpc/check-endpoint.ts";
import type { Session } from "../rpc/session.ts";
import { traceMethod } from "./blocks/fetch-traces.ts";
import { classifyEvmError } from "./classify-error.ts";
import { verifyChainId } from "./heads/verify-chain-id.ts";

const hex = (height: number) => `0x${Math.max(0, height).toString(16)}`;
const anyAddress = "0x0000000000000000000000000000000000000001";
/** A range that free plans often refuse. */
const wideRange = 1_000;
/** Older than what a node without an archive keeps. */
const oldBlocks = 10_000;

const rejectNull = (value: unknown) => {
  if (value === null || value === undefined) throw new Error("no result");
};

/** Asks an endpoint of an EVM chain for its chain id, its head, and what the engine has alternatives for. */
export function checkEvmEndpoint(options: EndpointCheckOptions): Promise<EndpointCheck> {
  return checkEndpoint(options, {
    classifyError: classifyEvmError,
    handshake: verifyChainId(options.chain),
    head: async (rpc) => Number(await rpc.request<string>("eth_blockNumber", [])),
    questions,
  });
}

const questions: EndpointQuestions["questions"] = [
  { name: "batches", ask: askBatch },
  ...["safe", "finalized"].map((tag) => ({
    name: `the block tag ${tag}`,
    ask: async (session: Session) => rejectNull(await session.request("eth_getBlockByNumber", [tag, false])),
  })),
  {
    name: "receipts of whole blocks",
    ask: async (session, head) => rejectNull(await session.request("eth_getBlockReceipts", [hex(head)])),
  },
  {
    name: "logs without an address",
    ask: (session, head) => session.request("eth_getLogs", [{ fromBlock: hex(head), toBlock: hex(head) }]),
  },
  {
    name: `logs of ${wideRange} blocks`,
    ask: (session, head) =>
      session.request("eth_getLogs", [
        { fromBlock: hex(head - wideRange + 1), toBlock: hex(head), address: anyAddress },
      ]),
  },
  {
    name: "state at a block hash (EIP-1898)",
    ask: async (session, head) =>
      session.request("eth_getBalance", [anyAddress, { blockHash: await hashAt(session, head) }]),
  },
  {
    name: "state of past blocks",
    ask: (session, head) => session.request("eth_getBalance", [anyAddress, hex(head - oldBlocks)]),
  },
  {
    name: `traces (${traceMethod})`,
    ask: async (session, head) =>
      rejectNull(await session.request(traceMethod, [await hashAt(session, head), { tracer: "callTracer" }])),
  },
];

async function askBatch(session: Session): Promise<void> {
  const replies = await session.batch([
    { method: "eth_chainId", params: [] },
    { method: "eth_blockNumber", params: [] },
  ]);
  if (!replies.every((reply) => "result" in reply)) throw new Error("no result");
}

async function hashAt(session: Session, height: number): Promise<string> {
  const { hash } = await session.request<{ hash: string }>("eth_getBlockByNumber", [hex(height), false], {
    mustExist: true,
  });
  return hash;
}
