import type { AccountFields, StateManagerInterface } from "@ethereumjs/common";
import { Account, type Address, bytesToUnprefixedHex } from "@ethereumjs/util";
import { keccak } from "../../evm/values/keccak.ts";
import type { AccountValue, Value, WorldState } from "./world-state.ts";

const none = new Uint8Array(0);

/**
 * The state that one transaction or call sees: that of a block, and its own changes, which `writes` has at the end. Checkpoints are
 * marks in a list of what to undo, so that they cost nothing.
 */
export class StateView implements StateManagerInterface {
  writes = new Map<string, Value>();
  readonly originalStorageCache = {
    get: async (address: Address, key: Uint8Array) => bytesOf(this.stored(slotKey(address, key))),
    clear: () => undefined,
  };
  private readonly world: WorldState;
  private height = 0;
  private undo: { key: string; wasWritten: boolean; before: Value }[] = [];
  private marks: number[] = [];

  constructor(world: WorldState) {
    this.world = world;
  }

  /** Starts again on the state after a block. */
  open(height: number): void {
    this.height = height;
    this.writes = new Map();
    this.undo = [];
    this.marks = [];
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const account = this.read(accountKey(address)) as AccountValue | undefined;
    return account && new Account(account.nonce, account.balance, undefined, account.codeHash);
  }

  async putAccount(address: Address, account?: Account): Promise<void> {
    const value = account && {
      nonce: account.nonce,
      balance: account.balance,
      codeHash: account.codeHash,
    };
    this.write(accountKey(address), value);
  }

  async deleteAccount(address: Address): Promise<void> {
    this.write(accountKey(address), undefined);
  }

  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.getAccount(address)) ?? new Account();
    account.nonce = fields.nonce ?? account.nonce;
    account.balance = fields.balance ?? account.balance;
    account.codeHash = fields.codeHash ?? account.codeHash;
    await this.putAccount(address, account);
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    this.write(codeKey(address), code);
    await this.modifyAccountFields(address, { codeHash: keccak(code) });
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return bytesOf(this.read(codeKey(address)));
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.getCode(address)).length;
  }

  async getStorage(address: Address, key: Uint8Array): Promise<Uint8Array> {
    return bytesOf(this.read(slotKey(address, key)));
  }

  async putStorage(address: Address, key: Uint8Array, value: Uint8Array): Promise<void> {
    this.write(slotKey(address, key), value);
  }

  /** Only a contract that destroys itself clears its storage, and there is none. */
  async clearStorage(): Promise<void> {}

  async checkpoint(): Promise<void> {
    this.marks.push(this.undo.length);
  }

  async commit(): Promise<void> {
    this.marks.pop();
  }

  async revert(): Promise<void> {
    const mark = this.marks.pop() ?? 0;
    for (const { key, wasWritten, before } of this.undo.splice(mark).reverse()) {
      if (wasWritten) this.writes.set(key, before);
      else this.writes.delete(key);
    }
  }

  /** The chain has no tree of its state, so that its roots only differ. */
  async getStateRoot(): Promise<Uint8Array> {
    return new Uint8Array(32);
  }

  async setStateRoot(): Promise<void> {}

  async hasStateRoot(): Promise<boolean> {
    return true;
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    const copy = new StateView(this.world);
    copy.open(this.height);
    return copy;
  }

  private read(key: string): Value {
    return this.writes.has(key) ? this.writes.get(key) : this.stored(key);
  }

  private stored(key: string): Value {
    return this.world.read(key, this.height);
  }

  private write(key: string, value: Value): void {
    this.undo.push({ key, wasWritten: this.writes.has(key), before: this.writes.get(key) });
    this.writes.set(key, value);
  }
}

export function accountKey(address: Address): string {
  return `a${bytesToUnprefixedHex(address.bytes)}`;
}

export function codeKey(address: Address): string {
  return `c${bytesToUnprefixedHex(address.bytes)}`;
}

export function slotKey(address: Address, key: Uint8Array): string {
  return `s${bytesToUnprefixedHex(address.bytes)}${bytesToUnprefixedHex(key)}`;
}

function bytesOf(value: Value): Uint8Array {
  return value instanceof Uint8Array ? value : none;
}
