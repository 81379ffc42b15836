import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  type Abi,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  parseGwei,
  publicActions,
  type TransactionReceipt,
  walletActions,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll } from "vitest";
import { type Artifact, compileContracts, publishedContract } from "./compile.ts";

const program = fileURLToPath(new URL("run-node.cjs", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

export type TestNode = Awaited<ReturnType<typeof startNode>>;

/** A contract on the node. */
export type Deployed = {
  address: Hex;
  abi: Abi;
  encode(functionName: string, args?: readonly unknown[]): Hex;
  /** Sends a transaction and returns its receipt, also if it failed. */
  send(functionName: string, args?: readonly unknown[], options?: Sending): Promise<TransactionReceipt>;
};

type Payload = { to?: Hex; data?: Hex };
type Sending = { from?: Hex; value?: bigint; tip?: bigint };

/** Starts a real, empty EVM node for the duration of the test file. */
export async function startNode() {
  const { url } = await borrowNode();
  const client = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(url) })
    .extend(publicActions)
    .extend(walletActions);
  await client.request({ method: "hardhat_reset", params: [] });
  const accounts = await client.getAddresses();
  const ownContracts = await compileContracts();
  const [first] = accounts as [Hex];

  /** Sets every field but the nonce, so that the same transaction has the same hash on another branch. */
  function submit(tx: Payload, { from = first, value = 0n, tip = 1n }: Sending = {}): Promise<Hex> {
    const fees = { maxFeePerGas: parseGwei("100"), maxPriorityFeePerGas: tip };
    return client.sendTransaction({ account: from, gas: 12_000_000n, value, ...fees, ...tx });
  }

  async function transact(tx: Payload, options: Sending = {}): Promise<TransactionReceipt> {
    return client.getTransactionReceipt({ hash: await submit(tx, options) });
  }

  function at(address: Hex, abi: Abi): Deployed {
    const encode: Deployed["encode"] = (functionName, args = []) =>
      encodeFunctionData({ abi, functionName, args });
    return {
      address: getAddress(address),
      abi,
      encode,
      send: (functionName, args, options) =>
        transact({ to: address, data: encode(functionName, args) }, options),
    };
  }

  return {
    url,
    client,
    accounts,
    /** Sends a transaction without waiting for it to be mined. */
    submit,
    transact,
    /** Returns a deployed contract with another ABI. */
    at,
    artifact: (name: string): Artifact => ownContracts[name] ?? publishedContract(name),
    async deploy(name: string, ...args: unknown[]): Promise<Deployed> {
      const { abi, bytecode } = ownContracts[name] ?? publishedContract(name);
      const { contractAddress, status } = await transact({ data: encodeDeployData({ abi, bytecode, args }) });
      if (!contractAddress || status !== "success") throw new Error(`${name} was not deployed`);
      return at(contractAddress, abi);
    },
    /** Advances the time of the next block. */
    wait: (seconds: number) => client.increaseTime({ seconds }),
    mine: (blocks = 1) => client.mine({ blocks }),
  };
}

/** A node in a process of its own, which ends with this one. */
type NodeProcess = { child: ChildProcess; url: string };

/** Test files of a worker use its nodes one after the other, because a node takes a second to start. */
const freeNodes: NodeProcess[] = [];

async function borrowNode(): Promise<NodeProcess> {
  const node = freeNodes.pop() ?? (await spawnNode());
  afterAll(() => {
    if (isRunning(node)) freeNodes.push(node);
  });
  return node;
}

function isRunning({ child }: NodeProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

async function spawnNode(): Promise<NodeProcess> {
  const child = spawn(process.execPath, [program], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  // The worker may end while the node runs: the node then ends automatically.
  child.unref();
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (line) => resolve(String(line).trim()));
    child.once("exit", (code) => reject(new Error(`the node ended with ${code}`)));
  });
  return { child, url };
}
