/** One sBPF instruction. `to` is the label of a jump, `syscall` the runtime function of a call. */
type Line = {
  code: number;
  dst?: number;
  src?: number;
  offset?: number;
  value?: number;
  to?: string;
  syscall?: string;
};

// `dst` and `src` are registers.
export const set = (dst: number, value: number): Line => ({ code: 0xb7, dst, value });
export const copy = (dst: number, src: number): Line => ({ code: 0xbf, dst, src });
export const add = (dst: number, value: number): Line => ({ code: 0x07, dst, value });
export const addOther = (dst: number, src: number): Line => ({ code: 0x0f, dst, src });
export const shiftLeft = (dst: number, value: number): Line => ({ code: 0x67, dst, value });
export const load = (dst: number, src: number, offset: number): Line => ({ code: 0x79, dst, src, offset });
export const loadByte = (dst: number, src: number, offset: number): Line => ({
  code: 0x71,
  dst,
  src,
  offset,
});
export const store = (dst: number, offset: number, src: number): Line => ({ code: 0x7b, dst, src, offset });
export const storeByte = (dst: number, offset: number, value: number): Line => ({
  code: 0x72,
  dst,
  offset,
  value,
});
export const jumpIfEqual = (dst: number, value: number, to: string): Line => ({ code: 0x15, dst, value, to });
export const jump = (to: string): Line => ({ code: 0x05, to });
export const call = (syscall: string): Line => ({ code: 0x85, value: -1, syscall });
export const exit = (): Line => ({ code: 0x95 });

/** Assembles instructions and labels, which are strings, into an ELF shared object for the loader. */
export function assemble(source: (Line | string)[]): Buffer {
  const labels = new Map<string, number>();
  const lines: Line[] = [];
  for (const one of source) {
    if (typeof one === "string") labels.set(one, lines.length);
    else lines.push(one);
  }
  const text = lines.map(({ code, dst = 0, src = 0, offset = 0, value = 0, to }, at) => {
    const bytes = Buffer.of(code, dst + src * 16, 0, 0, 0, 0, 0, 0);
    bytes.writeInt16LE(to === undefined ? offset : (labels.get(to) as number) - at - 1, 2);
    bytes.writeInt32LE(value, 4);
    return bytes;
  });
  const calls = lines.flatMap(({ syscall }, at) => (syscall ? [{ syscall, at: textAt + 8 * at }] : []));
  return link(Buffer.concat(text), calls);
}

const textAt = 64;
const u16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const u32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
const u64 = (...values: number[]) => Buffer.from(BigUint64Array.from(values, BigInt).buffer);

/** Adds the relocations that bind calls to syscall names, and the dynamic section that locates them. */
function link(text: Buffer, calls: { syscall: string; at: number }[]): Buffer {
  const syscalls = [...new Set(calls.map(({ syscall }) => syscall))];
  const joined = `\0${[".text", ".dynstr", ...syscalls].join("\0")}\0`;
  const names = Buffer.from(joined.padEnd(Math.ceil(joined.length / 8) * 8, "\0"));
  const nameAt = (name: string) => joined.indexOf(`\0${name}\0`) + 1;
  const symbols = u64(0, 0, 0, ...syscalls.flatMap((name) => [nameAt(name), 0, 0]));
  const relocations = Buffer.concat(
    calls.flatMap(({ syscall, at }) => [u64(at), u32(10, syscalls.indexOf(syscall) + 1)]),
  );
  const symbolsAt = textAt + text.length + names.length;
  const relocationsAt = symbolsAt + symbols.length;
  // DT_SYMTAB, DT_REL, DT_RELSZ and DT_RELENT.
  const dynamic = u64(6, symbolsAt, 17, relocationsAt, 18, relocations.length, 19, 16, 0, 0);
  return layOut([
    { name: nameAt(".text"), type: 1, bytes: text },
    { name: nameAt(".dynstr"), type: 3, bytes: names },
    { name: 0, type: 11, bytes: symbols },
    { name: 0, type: 9, bytes: relocations },
    { name: 0, type: 6, bytes: dynamic },
  ]);
}

/** Writes the ELF header, the sections and the section table. The first section is the code, the second the names. */
function layOut(sections: { name: number; type: number; bytes: Buffer }[]): Buffer {
  let at = textAt;
  const table = sections.map(({ name, type, bytes }) => {
    const entry = Buffer.concat([u32(name, type), u64(0, at, at, bytes.length, 0, 8, 0)]);
    at += bytes.length;
    return entry;
  });
  return Buffer.concat([
    Buffer.from("7f454c46020101".padEnd(32, "0"), "hex"),
    // A shared object (3) for BPF (247), version 1, like most programs.
    u16(3, 247),
    u32(1),
    u64(textAt, textAt, at),
    u32(0),
    u16(64, 56, 0, 64, sections.length + 1, 2),
    ...sections.map(({ bytes }) => bytes),
    Buffer.alloc(64),
    ...table,
  ]);
}
