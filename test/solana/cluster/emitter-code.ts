import {
  add,
  addOther,
  assemble,
  call,
  copy,
  exit,
  jump,
  jumpIfEqual,
  load,
  loadByte,
  set,
  shiftLeft,
  store,
  storeByte,
} from "./sbpf.ts";

/** The tag that Anchor puts before an event emitted by self-CPI. */
export const eventTag = Buffer.from("e445a52e51cb9a1d", "hex");
export const kinds = { log: 0, log_and_fail: 1, call_self: 2, call_other: 3 };

/** Offsets of the first account in the program input. */
const account = { isSigner: 9, key: 16, owner: 48, lamports: 80, data: 96 };
/** Heap offsets of the structures that the program writes for the runtime. The heap starts zeroed. */
const heap = { instruction: 0, data: 24, meta: 40, info: 56, seedText: 112, seeds: 136, signer: 168 };
/** Callee-saved registers. The runtime passes the input in register 1 and the instruction data in register 2. */
const [input, data, length, heapStart] = [6, 7, 8, 9];
const spare = 5;

/** Writes the address in a register plus an offset to the heap. */
const point = (at: number, from: number, more: number) => [
  copy(spare, from),
  add(spare, more),
  store(heapStart, at, spare),
];
const number = (at: number, value: number) => [set(spare, value), store(heapStart, at, spare)];
const argument = (register: number, at: number) => [copy(register, heapStart), add(register, at)];

/**
 * Assembles a program that emits events like Anchor's emit! and emit_cpi!. The first byte of the instruction data
 * selects what happens to the rest: log it, log it and fail, invoke itself with it and the event authority's
 * signature, or invoke the program whose address precedes it and log it afterwards. An invoked program gets the first
 * account. An event emitted by self-CPI requires the signature.
 */
export function emitterCode(bump: number): Buffer {
  const seed = Buffer.from("__event_authority");
  return assemble([
    copy(input, 1),
    copy(data, 2),
    load(length, data, -8),
    set(heapStart, 3),
    shiftLeft(heapStart, 32),
    ...point(heap.data, data, 1),
    ...point(heap.data + 8, length, -1),
    ...point(heap.instruction + 8, heapStart, heap.meta),
    ...number(heap.instruction + 16, 1),
    ...point(heap.meta, input, account.key),
    loadByte(3, data, 0),
    jumpIfEqual(3, eventTag[0] as number, "event"),
    jumpIfEqual(3, kinds.call_self, "call self"),
    jumpIfEqual(3, kinds.call_other, "call other"),

    "log",
    ...argument(1, heap.data),
    set(2, 1),
    call("sol_log_data"),
    loadByte(0, data, 0),
    jumpIfEqual(0, kinds.log_and_fail, "end"),

    "done",
    set(0, 0),
    "end",
    exit(),

    "event",
    loadByte(3, input, account.isSigner),
    jumpIfEqual(3, 1, "done"),
    set(0, 1),
    jump("end"),

    "call self",
    copy(spare, data),
    addOther(spare, length),
    store(heapStart, heap.instruction, spare),
    storeByte(heapStart, heap.meta + 9, 1),
    ...point(heap.info, input, account.key),
    ...point(heap.info + 8, input, account.lamports),
    ...point(heap.info + 24, input, account.data),
    ...point(heap.info + 32, input, account.owner),
    ...[...seed, bump].map((byte, at) => storeByte(heapStart, heap.seedText + at, byte)),
    ...point(heap.seeds, heapStart, heap.seedText),
    ...number(heap.seeds + 8, seed.length),
    ...point(heap.seeds + 16, heapStart, heap.seedText + seed.length),
    ...number(heap.seeds + 24, 1),
    ...point(heap.signer, heapStart, heap.seeds),
    ...number(heap.signer + 8, 2),
    ...argument(1, heap.instruction),
    ...argument(2, heap.info),
    set(3, 1),
    ...argument(4, heap.signer),
    set(5, 1),
    call("sol_invoke_signed_c"),
    jump("done"),

    "call other",
    ...point(heap.instruction, data, 1),
    ...point(heap.data, data, 33),
    ...point(heap.data + 8, length, -33),
    ...argument(1, heap.instruction),
    ...[2, 3, 4, 5].map((register) => set(register, 0)),
    call("sol_invoke_signed_c"),
    jump("log"),
  ]);
}
