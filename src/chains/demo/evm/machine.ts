import { createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, type EVM } from "@ethereumjs/evm";
import { Account, createAddressFromString, hexToBytes } from "@ethereumjs/util";
import type { Hex } from "../../block.ts";
import { demo } from "../../definitions/testnets/demo.ts";
import { toHex } from "../../evm/values/hex.ts";
import { keccak } from "../../evm/values/keccak.ts";
import { StateView } from "./state-view.ts";
import type { Value, WorldState } from "./world-state.ts";

export type Call = { from: Hex; to: Hex | null; data: Hex; value?: bigint };
export type Log = { address: Hex; topics: Hex[]; data: Hex };

export type Execution = {
  isSuccess: boolean;
  output: Hex;
  gasUsed: bigint;
  logs: Log[];
  /** The address of a contract that was created. */
  created: Hex | null;
  writes: ReadonlyMap<string, Value>;
};

/** Where a call is executed: on the state after `stateHeight`, as part of a block. */
export type Place = { stateHeight: number; height: number; time: number };

const gasLimit = 15_000_000n;
export const gasPrice = 1_000_000_000n;

/** An Ethereum virtual machine on the state of the chain. It runs one call at a time. */
export class Machine {
  private readonly evm: EVM;
  private readonly view: StateView;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(evm: EVM, view: StateView) {
    this.evm = evm;
    this.view = view;
  }

  static async open(world: WorldState): Promise<Machine> {
    const common = createCustomCommon({ chainId: demo.chain_id, name: demo.chain }, Mainnet, {
      hardfork: Hardfork.Cancun,
      customCrypto: { keccak256: keccak },
    });
    const view = new StateView(world);
    return new Machine(await createEVM({ common, stateManager: view }), view);
  }

  /** Runs a call and returns what it would change. */
  run(call: Call, place: Place): Promise<Execution> {
    const running = this.last.then(() => this.execute(call, place));
    this.last = running.catch(() => undefined);
    return running;
  }

  /** Runs a transaction: its sender pays for the gas. */
  async transact(call: Call, place: Place): Promise<Execution> {
    const execution = await this.run(call, place);
    const writes = new Map(execution.writes);
    this.view.open(place.stateHeight);
    const from = createAddressFromString(call.from);
    this.view.writes = writes;
    const account = (await this.view.getAccount(from)) ?? new Account();
    account.balance -= execution.gasUsed * gasPrice;
    await this.view.putAccount(from, account);
    return { ...execution, writes: this.view.writes };
  }

  private async execute(call: Call, { stateHeight, height, time }: Place): Promise<Execution> {
    this.view.open(stateHeight);
    const from = createAddressFromString(call.from);
    const callData = hexToBytes(call.data);
    const { execResult, createdAddress } = await this.evm.runCall({
      caller: from,
      origin: from,
      ...(call.to && { to: createAddressFromString(call.to) }),
      data: callData,
      value: call.value ?? 0n,
      gasLimit,
      gasPrice,
      skipBalance: false,
      block: blockOf(height, time),
    });
    await this.evm.journal.cleanup();
    this.evm.transientStorage.clear();
    const { exceptionError, executionGasUsed, returnValue, logs = [] } = execResult;
    const isSuccess = exceptionError === undefined;
    return {
      isSuccess,
      output: toHex(returnValue),
      gasUsed: executionGasUsed + intrinsicGas(callData, call.to === null),
      logs: isSuccess ? logs.map(toLog) : [],
      created: isSuccess && createdAddress ? (createdAddress.toString() as Hex) : null,
      writes: this.view.writes,
    };
  }
}

function toLog([address, topics, data]: [Uint8Array, Uint8Array[], Uint8Array]): Log {
  return { address: toHex(address), topics: topics.map((topic) => toHex(topic)), data: toHex(data) };
}

const nobody = createAddressFromString(`0x${"0".repeat(40)}`);

function blockOf(height: number, time: number) {
  const header = {
    number: BigInt(height),
    timestamp: BigInt(time),
    coinbase: nobody,
    difficulty: 0n,
    prevRandao: new Uint8Array(32),
    gasLimit: 30_000_000n,
    baseFeePerGas: 7n,
    getBlobGasPrice: () => 1n,
  };
  return { header };
}

/** What a transaction costs before it runs. */
function intrinsicGas(data: Uint8Array, isCreation: boolean): bigint {
  let gas = isCreation ? 53_000n : 21_000n;
  for (const byte of data) gas += byte === 0 ? 4n : 16n;
  return gas;
}
