import { keccakProgram, stateAt } from "./keccak-program.ts";

type Exports = { memory: { buffer: ArrayBuffer }; permute: () => void };
// Node has it, its types do not.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { exports: Exports };
};

const { memory, permute } = new WebAssembly.Instance(new WebAssembly.Module(keccakProgram())).exports;
const state = new Uint8Array(memory.buffer, stateAt, 200);
/** How many bytes are taken in between two permutations. */
const rate = 136;

/** The Keccak-256 hash of some bytes. Blocks are made of hashes, and this takes a small part of the time of plain JavaScript. */
export function keccak(bytes: Uint8Array): Buffer {
  state.fill(0);
  let place = 0;
  for (let at = 0; at < bytes.length; at++) {
    state[place] = (state[place] ?? 0) ^ (bytes[at] ?? 0);
    place = (place + 1) % rate;
    if (place === 0) permute();
  }
  state[place] = (state[place] ?? 0) ^ 0x01;
  state[rate - 1] = (state[rate - 1] ?? 0) ^ 0x80;
  permute();
  return Buffer.from(state.slice(0, 32));
}
