import { add, assemble, call, copy, exit, set, shiftLeft, store, storeByte } from "./sbpf.ts";

/** An account that a program gets and passes on. */
export type ForwardedAccount = { bytes: number; isWritable?: boolean; isSigner?: boolean };

/** Offsets in an account of the program input. */
const field = { key: 8, owner: 40, lamports: 72, data: 88 };
/** The room that the runtime leaves for an account to grow. */
const growth = 10_240;
const sizeOf = ({ bytes }: { bytes: number }) => field.data + Math.ceil((bytes + growth) / 8) * 8 + 8;

/** Heap offsets of the structures that the program writes for the runtime. The heap starts zeroed. */
const heap = { instruction: 0, metas: 64, infos: 256, seedText: 768, seeds: 832, signer: 896 };
const [metaBytes, infoBytes] = [16, 56];
const [input, data, heapStart, spare] = [6, 7, 9, 5];

const point = (at: number, from: number, more: number) => [
  copy(spare, from),
  add(spare, more),
  store(heapStart, at, spare),
];
const number = (at: number, value: number) => [set(spare, value), store(heapStart, at, spare)];
const argument = (register: number, at: number) => [copy(register, heapStart), add(register, at)];

/**
 * Assembles a program that calls another one with the same instruction data, and signs with the address that it derives from a
 * seed. It gets the accounts of the call, of which none may occur twice, and then the program to call. Like a vault without
 * access control, it does so for everyone.
 */
export function forwarderCode(
  accounts: readonly ForwardedAccount[],
  { seed, bump, length = dataBytes }: { seed: string; bump: number; length?: number },
): Buffer {
  const offsets = [8];
  for (const account of accounts) offsets.push((offsets.at(-1) ?? 0) + sizeOf(account));
  const seedText = [...Buffer.from(seed), bump];
  return assemble([
    copy(input, 1),
    copy(data, 2),
    set(heapStart, 3),
    shiftLeft(heapStart, 32),
    ...point(heap.instruction, input, (offsets[accounts.length] as number) + field.key),
    ...point(heap.instruction + 8, heapStart, heap.metas),
    ...number(heap.instruction + 16, accounts.length),
    ...point(heap.instruction + 24, data, 0),
    ...number(heap.instruction + 32, length),
    ...accounts.flatMap((account, index) => [
      ...metaOf(account, heap.metas + metaBytes * index, offsets[index] as number),
      ...infoOf(account, heap.infos + infoBytes * index, offsets[index] as number),
    ]),
    ...seedText.map((byte, at) => storeByte(heapStart, heap.seedText + at, byte)),
    ...point(heap.seeds, heapStart, heap.seedText),
    ...number(heap.seeds + 8, seedText.length - 1),
    ...point(heap.seeds + 16, heapStart, heap.seedText + seedText.length - 1),
    ...number(heap.seeds + 24, 1),
    ...point(heap.signer, heapStart, heap.seeds),
    ...number(heap.signer + 8, 2),
    ...argument(1, heap.instruction),
    ...argument(2, heap.infos),
    set(3, accounts.length),
    ...argument(4, heap.signer),
    set(5, 1),
    call("sol_invoke_signed_c"),
    set(0, 0),
    exit(),
  ]);
}

/** The usual length of the instruction data: a tag, an amount and the decimals, of which Transfer ignores the last. */
export const dataBytes = 10;

function metaOf({ isWritable, isSigner }: ForwardedAccount, at: number, offset: number) {
  return [
    ...point(at, input, offset + field.key),
    storeByte(heapStart, at + 8, isWritable ? 1 : 0),
    storeByte(heapStart, at + 9, isSigner ? 1 : 0),
  ];
}

function infoOf({ bytes, isWritable }: ForwardedAccount, at: number, offset: number) {
  return [
    ...point(at, input, offset + field.key),
    ...point(at + 8, input, offset + field.lamports),
    ...number(at + 16, bytes),
    ...point(at + 24, input, offset + field.data),
    ...point(at + 32, input, offset + field.owner),
    storeByte(heapStart, at + 49, isWritable ? 1 : 0),
  ];
}
