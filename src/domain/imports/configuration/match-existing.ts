/**
 * Finds for what is wanted what is there already. Names are not unique: of several that could be meant, the one that is
 * most alike is taken, by each sense of alike in turn; at last a single one for a single one, which is then changed.
 */
export function pairUp<Wanted, Existing>(
  wanted: readonly Wanted[],
  existing: readonly Existing[],
  mayBe: (wanted: Wanted, existing: Existing) => boolean,
  senses: readonly ((wanted: Wanted, existing: Existing) => boolean)[],
): Map<Wanted, Existing> {
  const pairs = new Map<Wanted, Existing>();
  const free = new Set(existing);
  const candidates = (one: Wanted) => [...free].filter((other) => mayBe(one, other));
  const take = (one: Wanted, other: Existing) => {
    pairs.set(one, other);
    free.delete(other);
  };
  for (const isAlike of senses) {
    for (const one of wanted) {
      const found = pairs.has(one) ? undefined : candidates(one).find((other) => isAlike(one, other));
      if (found !== undefined) take(one, found);
    }
  }
  for (const one of wanted.filter((other) => !pairs.has(other))) {
    const [only, ...others] = candidates(one);
    if (only === undefined || others.length > 0) continue;
    const rivals = wanted.filter((rival) => rival !== one && !pairs.has(rival) && mayBe(rival, only));
    if (rivals.length === 0) take(one, only);
  }
  return pairs;
}
