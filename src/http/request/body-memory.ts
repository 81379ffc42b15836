/** Memory of a body that is validated in a worker thread, which reads it without a copy. */
export type BodyMemory = {
  bytes: Uint8Array<SharedArrayBuffer>;
  /** Makes the memory available for another body. Only called when no thread reads it any more. */
  release(): void;
};

const unitBytes = 1024 * 1024;
/** Enough for the bodies that are usually received at the same time. */
const maxUnits = 32;

/**
 * Lends memory for large bodies and uses it again. Memory that is allocated for each body makes the garbage collector stop the
 * event loop, which delays the requests of others.
 */
export class BodyMemories {
  #free: SharedArrayBuffer[] = [];
  #units = 0;
  /** A body that is not validated, or whose validation fails, never releases its memory. */
  #collected = new FinalizationRegistry<number>((units) => {
    this.#units -= units;
  });

  /** Undefined if too much is lent. */
  lend(byteLength: number): BodyMemory | undefined {
    const memory = this.#removeFree(byteLength) ?? this.#allocate(Math.ceil(byteLength / unitBytes));
    if (!memory) return undefined;
    let isLent = true;
    const release = () => {
      if (isLent) this.#free.push(memory);
      isLent = false;
    };
    return { bytes: new Uint8Array(memory, 0, byteLength), release };
  }

  #removeFree(byteLength: number): SharedArrayBuffer | undefined {
    const index = this.#free.findIndex((memory) => memory.byteLength >= byteLength);
    return index < 0 ? undefined : this.#free.splice(index, 1)[0];
  }

  #allocate(units: number): SharedArrayBuffer | undefined {
    while (this.#units + units > maxUnits) if (!this.#dropFree()) return undefined;
    this.#units += units;
    const memory = new SharedArrayBuffer(units * unitBytes);
    this.#collected.register(memory, units, memory);
    return memory;
  }

  #dropFree(): boolean {
    const memory = this.#free.pop();
    if (!memory) return false;
    this.#collected.unregister(memory);
    this.#units -= memory.byteLength / unitBytes;
    return true;
  }
}
