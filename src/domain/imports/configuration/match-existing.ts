/** How wanted items are recognised among existing ones. */
export type Matching<Wanted, Existing> = {
  /** Items can only match if they share a key, so that items with different keys are never compared. */
  keyOf(wanted: Wanted): string;
  keysOf(existing: Existing): string[];
  mayBe(wanted: Wanted, existing: Existing): boolean;
  /** Criteria of similarity, in the order in which they are tried. */
  criteria: readonly ((wanted: Wanted, existing: Existing) => boolean)[];
};

/** Counts comparisons. Names that differ cost one each; only many items of the same name need many. */
export class Comparisons {
  count = 0;
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  add(): void {
    if (++this.count > this.max) throw new TooManyComparisons();
  }
}

export class TooManyComparisons extends Error {
  override name = "TooManyComparisons";
}

/**
 * Matches wanted items with existing ones. Names are not unique: among several candidates, the criteria of similarity are
 * tried in order. A last unmatched item with a single candidate is matched with it, and then updated.
 */
export function matchExisting<Wanted, Existing>(
  wanted: readonly Wanted[],
  existing: readonly Existing[],
  { keyOf, keysOf, mayBe, criteria }: Matching<Wanted, Existing>,
  comparisons: Comparisons,
): Map<Wanted, Existing> {
  const pairs = new Map<Wanted, Existing>();
  const unmatched = groupByKeys(existing, keysOf);
  const match = (item: Wanted, other: Existing) => {
    pairs.set(item, other);
    for (const key of keysOf(other)) unmatched.get(key)?.delete(other);
  };
  for (const isSimilar of criteria) {
    for (const item of wanted) {
      if (pairs.has(item)) continue;
      for (const other of unmatched.get(keyOf(item)) ?? []) {
        comparisons.add();
        if (!mayBe(item, other) || !isSimilar(item, other)) continue;
        match(item, other);
        break;
      }
    }
  }
  const unpaired = groupByKeys(
    wanted.filter((item) => !pairs.has(item)),
    (item) => [keyOf(item)],
  );
  for (const row of [...unpaired.values()].flatMap((group) => [...group])) {
    const candidates: Existing[] = [];
    for (const other of unmatched.get(keyOf(row)) ?? []) {
      comparisons.add();
      if (mayBe(row, other)) candidates.push(other);
      if (candidates.length > 1) break;
    }
    const [only, second] = candidates;
    if (only === undefined || second !== undefined) continue;
    const rivals = keysOf(only).flatMap((key) => [...(unpaired.get(key) ?? [])]);
    if (!rivals.some((rival) => rival !== row && !pairs.has(rival) && mayBe(rival, only))) match(row, only);
  }
  return pairs;
}

function groupByKeys<Item>(items: readonly Item[], keysOf: (item: Item) => string[]): Map<string, Set<Item>> {
  const groups = new Map<string, Set<Item>>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group) group.add(item);
      else groups.set(key, new Set([item]));
    }
  }
  return groups;
}
