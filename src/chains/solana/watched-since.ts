import type { Mark } from "../reader.ts";

/** So many slots apart, a block says again which addresses are watched, since older blocks are forgotten. */
const sayEvery = 64;

/** From which slot on an address was watched, by what our blocks say; undefined when none of them speaks of it. */
export function sinceIn(marks: readonly Mark[], address: string): number | undefined {
  return marks.findLast(({ seen }) => seen?.added.includes(address))?.seen?.after;
}

/** Whether a block has to say all of the addresses. */
export function isDue(before: number, height: number): boolean {
  return Math.floor(before / sayEvery) !== Math.floor(height / sayEvery);
}

/** The addresses of which a block says that they are watched: those that are new with it, or all of them. */
export function addedIn(
  addresses: readonly { address: string; since: number }[],
  before: number,
  height: number,
  isWhole: boolean,
): string[] {
  return addresses
    .filter(({ since }) => since < height && (isWhole || since >= before))
    .map(({ address }) => address);
}
