/** Where the program keeps its 25 lanes. */
export const stateAt = 0;
const constantsAt = 256;
const [memoryPages, rounds, lanes] = [1, 24, 25];

/** Keccak's permutation as a program for WebAssembly, which has the 64-bit words that JavaScript lacks. */
export function keccakProgram(): Uint8Array<ArrayBuffer> {
  const section = (id: number, body: number[]) => [id, ...unsigned(body.length), ...body];
  const code = permutation();
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, memoryPages]),
    ...section(7, [2, ...named("memory", 2), ...named("permute", 0)]),
    ...section(10, [1, ...unsigned(code.length), ...code]),
    ...section(11, [1, 0, 0x41, ...signed(constantsAt), 0x0b, ...unsigned(rounds * 8), ...constants()]),
  ]);
}

// Locals: the lanes, the lanes of the next step, the parities of the columns, and how many bytes of constants are used.
const lane = (x: number, y: number) => (x % 5) + 5 * (y % 5);
const moved = (x: number, y: number) => lanes + lane(x, y);
const parity = (x: number) => 2 * lanes + (x % 5);
const used = 2 * lanes + 5;

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const [xor, and] = [0x85, 0x83];
const rotated = (value: number[], by: number) => [...value, 0x42, ...signed(by), 0x89];
const five = [0, 1, 2, 3, 4];
const everyLane = five.flatMap((y) => five.map((x) => [x, y] as const));

function permutation(): number[] {
  const load = everyLane.flatMap((_, at) => [0x41, 0, 0x29, 3, ...unsigned(stateAt + at * 8), ...set(at)]);
  const store = everyLane.flatMap((_, at) => [0x41, 0, ...get(at), 0x37, 3, ...unsigned(stateAt + at * 8)]);
  const countUp = [...get(used), 0x41, 8, 0x6a, 0x22, used];
  const again = [0x41, ...signed(rounds * 8), 0x49, 0x0d, 0];
  const locals = [2, used, 0x7e, 1, 0x7f];
  return [...locals, ...load, 0x03, 0x40, ...round(), ...countUp, ...again, 0x0b, ...store, 0x0b];
}

function round(): number[] {
  const others = [1, 2, 3, 4];
  const parities = five.flatMap((x) => [
    ...get(lane(x, 0)),
    ...others.flatMap((y) => [...get(lane(x, y)), xor]),
    ...set(parity(x)),
  ]);
  const spread = everyLane.flatMap(([x, y]) => {
    const beside = [...get(parity(x + 4)), ...rotated(get(parity(x + 1)), 1), xor];
    const mixed = [...get(lane(x, y)), ...beside, xor];
    return [...rotated(mixed, offsets[lane(x, y)] ?? 0), ...set(moved(y, 2 * x + 3 * y))];
  });
  const combined = everyLane.flatMap(([x, y]) => [
    ...[...get(moved(x, y)), ...get(moved(x + 1, y)), 0x42, ...signed(-1), xor],
    ...[...get(moved(x + 2, y)), and, xor, ...set(lane(x, y))],
  ]);
  const constant = [...get(0), ...get(used), 0x29, 3, ...unsigned(constantsAt), xor, ...set(0)];
  return [...parities, ...spread, ...combined, ...constant];
}

/** By how much each lane is rotated: along the path on which they change places, by more and more. */
const offsets = (() => {
  const found: number[] = [0];
  let [x, y] = [1, 0];
  for (let step = 1; step < lanes; step++) {
    found[lane(x, y)] = ((step * (step + 1)) / 2) % 64;
    [x, y] = [y, (2 * x + 3 * y) % 5];
  }
  return found;
})();

/** One constant a round, whose bits come out of a shift register. */
function constants(): number[] {
  const view = new DataView(new ArrayBuffer(rounds * 8));
  let register = 1;
  for (let at = 0; at < rounds; at++) {
    let constant = 0n;
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) constant |= 1n << BigInt(2 ** bit - 1);
      register = (register << 1) ^ (register & 0x80 ? 0x171 : 0);
    }
    view.setBigUint64(at * 8, constant, true);
  }
  return [...new Uint8Array(view.buffer)];
}

function named(name: string, kind: number): number[] {
  return [name.length, ...Buffer.from(name), kind, 0];
}

/** Numbers as WebAssembly writes them, seven bits a byte. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
