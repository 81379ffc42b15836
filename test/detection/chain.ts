import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  type Abi,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  getContractAddress,
  type Hex,
  toHex,
} from "viem";
import { type Artifact, publishedContract } from "../chain/compile.ts";
import { detectionArtifacts } from "./artifacts.ts";

const program = fileURLToPath(new URL("../chain/run-node.cjs", import.meta.url));
const settings = fileURLToPath(new URL("hardhat.config.cjs", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

/** A transaction to be sent. */
export type Sending = { from: Hex; to?: Hex; data?: Hex; value?: bigint };

/** A contract on the chain, which turns calls into transactions. */
export type Contract = {
  address: Hex;
  abi: Abi;
  call(from: Hex, functionName: string, args?: readonly unknown[], value?: bigint): Sending;
};

export type DetectionChain = Awaited<ReturnType<typeof openDetectionChain>>;

/** Starts a development node in its own process, whose blocks are mined on request at any time. */
export async function openDetectionChain(start: Date) {
  const { url, stop } = await startNode(start);
  const ownContracts = detectionArtifacts();
  const rpc = makeRpc(url);
  const [listed] = await rpc([{ method: "eth_accounts" }]);
  const accounts = (listed as Hex[]).map((account) => getAddress(account));
  let time = Math.floor(start.getTime() / 1000);
  let height = 0;
  const nonces = new Map<Hex, number>();
  const published = new Map<string, { name: string; abi: Abi }>();

  /** Mines a block at a time, with transactions in their order. */
  async function mine(
    at: number,
    sendings: readonly Sending[] = [],
  ): Promise<{ height: number; time: number }> {
    if (sendings.length > 0)
      await rpc(
        sendings.map((sending) => ({ method: "eth_sendTransaction", params: [toRpc(sending, nonces)] })),
      );
    time = Math.max(at, time + 1);
    await rpc([{ method: "evm_mine", params: [time] }]);
    height += 1;
    return { height, time };
  }

  function at(address: Hex, name: string): Contract {
    const { abi } = artifactOf(ownContracts, name);
    return {
      address: getAddress(address),
      abi,
      call: (from, functionName, args = [], value = 0n) => ({
        from,
        to: address,
        data: encodeFunctionData({ abi, functionName, args }),
        value,
      }),
    };
  }

  return {
    url,
    stop,
    accounts,
    mine,
    at,
    now: () => time,
    height: () => height,
    /** Mines a block with transactions of which none may fail. */
    async run(...sendings: Sending[]): Promise<void> {
      await mine(time + 1, sendings);
      const [block] = await rpc([{ method: "eth_getBlockByNumber", params: ["latest", false] }]);
      const hashes = (block as { transactions: Hex[] }).transactions;
      const receipts = await rpc(
        hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })),
      );
      const failed = (receipts as { status: Hex }[]).findIndex(({ status }) => status !== "0x1");
      if (failed >= 0)
        throw new Error(
          `transaction ${failed} of a block failed: ${JSON.stringify(sendings[failed]?.data)?.slice(0, 12)}`,
        );
    },
    async deploy(name: string, ...args: unknown[]): Promise<Contract> {
      const { abi, bytecode } = artifactOf(ownContracts, name);
      const contract = at(await this.create(encodeDeployData({ abi, bytecode, args })), name);
      published.set(contract.address.toLowerCase(), { name, abi });
      return contract;
    },
    /** The source of a contract, by its address in lower case. */
    published,
    /** Creates a contract from its creation code. */
    async create(data: Hex): Promise<Hex> {
      const [from] = accounts as [Hex];
      const nonce = BigInt(nonces.get(from) ?? 0);
      await this.run({ from, data });
      return getContractAddress({ from, nonce });
    },
    /** An address of its own that sends without a key. */
    async account(ether: bigint): Promise<Hex> {
      created += 1;
      const address = getAddress(toHex(0xacc0_0000_0000n + BigInt(created) * 0x1_0001n, { size: 20 }));
      await rpc([
        { method: "hardhat_impersonateAccount", params: [address] },
        { method: "hardhat_setBalance", params: [address, toHex(ether)] },
      ]);
      return address;
    },
    rpc,
  };
}

let created = 0;

function artifactOf(own: Record<string, Artifact>, name: string): Artifact {
  return own[name] ?? publishedContract(name);
}

function toRpc({ from, to, data, value = 0n }: Sending, nonces: Map<Hex, number>) {
  const nonce = nonces.get(from) ?? 0;
  nonces.set(from, nonce + 1);
  return {
    // The node handles the requests of a batch in any order.
    nonce: toHex(nonce),
    from,
    gas: toHex(6_000_000),
    value: toHex(value),
    ...(to && { to }),
    ...(data && { data }),
  };
}

type Request = { method: string; params?: unknown[] };

function makeRpc(url: string) {
  return async (requests: readonly Request[]): Promise<unknown[]> => {
    const body = JSON.stringify(
      requests.map(({ method, params = [] }, id) => ({ jsonrpc: "2.0", id, method, params })),
    );
    const reply = await fetch(url, { method: "POST", body, headers: { "content-type": "application/json" } });
    const results = (await reply.json()) as { id: number; result?: unknown; error?: { message: string } }[];
    return results
      .toSorted((a, b) => a.id - b.id)
      .map(({ result, error }, index) => {
        if (error) throw new Error(`${requests[index]?.method}: ${error.message}`);
        return result;
      });
  };
}

async function startNode(start: Date): Promise<{ url: string; stop(): void }> {
  const env = { ...process.env, HARDHAT_CONFIG: settings, DETECTION_START: start.toISOString() };
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ["pipe", "pipe", "inherit"] });
  child.unref();
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`the node ended with ${code}`)));
  });
  return { url, stop: () => void child.kill() };
}
