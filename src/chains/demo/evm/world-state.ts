/** A value of the state: an account, the code of a contract or a storage slot. Undefined if it does not exist. */
export type Value = AccountValue | Uint8Array | undefined;
export type AccountValue = { nonce: bigint; balance: bigint; codeHash: Uint8Array };

type Version = { height: number; value: Value };

/** The state of the chain at every block that is kept. */
export class WorldState {
  private readonly versions = new Map<string, Version[]>();
  /** The keys that each block changed, for a roll back and to forget old blocks. */
  private readonly changed = new Map<number, Set<string>>();

  read(key: string, height: number): Value {
    const versions = this.versions.get(key);
    if (!versions) return undefined;
    for (let index = versions.length - 1; index >= 0; index--) {
      const version = versions[index];
      if (version && version.height <= height) return version.value;
    }
    return undefined;
  }

  /** Writes values as those of the newest block. */
  write(height: number, values: ReadonlyMap<string, Value>): void {
    const changed = this.changed.get(height) ?? new Set();
    this.changed.set(height, changed);
    for (const [key, value] of values) {
      const versions = this.versions.get(key) ?? [];
      if (versions.at(-1)?.height === height) versions.pop();
      versions.push({ height, value });
      this.versions.set(key, versions);
      changed.add(key);
    }
  }

  /** Forgets what blocks above a height have changed. */
  rollBack(height: number): void {
    for (const [above, keys] of this.changed) {
      if (above <= height) continue;
      for (const key of keys) this.dropAbove(key, height);
      this.changed.delete(above);
    }
  }

  /** Forgets what can be read only at blocks below a height. */
  forget(below: number): void {
    for (const [height, keys] of this.changed) {
      if (height >= below) break;
      for (const key of keys) this.dropBelow(key, below);
      this.changed.delete(height);
    }
  }

  /** The state as plain data. */
  save(): [string, Version[]][] {
    return [...this.versions];
  }

  load(saved: [string, Version[]][]): void {
    const heights = new Map<number, Set<string>>();
    for (const [key, versions] of saved) {
      this.versions.set(key, versions);
      for (const { height } of versions) heights.set(height, (heights.get(height) ?? new Set()).add(key));
    }
    for (const [height, keys] of [...heights].sort(([one], [other]) => one - other))
      this.changed.set(height, keys);
  }

  private dropAbove(key: string, height: number): void {
    const versions = this.versions.get(key) ?? [];
    while ((versions.at(-1)?.height ?? -1) > height) versions.pop();
    if (versions.length === 0) this.versions.delete(key);
  }

  /** The newest version below the height is still the value at it. */
  private dropBelow(key: string, height: number): void {
    const versions = this.versions.get(key) ?? [];
    while ((versions[1]?.height ?? Number.POSITIVE_INFINITY) < height) versions.shift();
  }
}
