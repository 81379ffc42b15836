/**
 * Matches wanted items with existing ones. Names are not unique: among several candidates, the criteria of similarity are
 * tried in order. A last unmatched item with a single candidate is matched with it, and then updated.
 */
export function matchExisting<Wanted, Existing>(
  wanted: readonly Wanted[],
  existing: readonly Existing[],
  mayBe: (wanted: Wanted, existing: Existing) => boolean,
  criteria: readonly ((wanted: Wanted, existing: Existing) => boolean)[],
): Map<Wanted, Existing> {
  const pairs = new Map<Wanted, Existing>();
  const unmatched = new Set(existing);
  const candidates = (one: Wanted) => [...unmatched].filter((other) => mayBe(one, other));
  const match = (one: Wanted, other: Existing) => {
    pairs.set(one, other);
    unmatched.delete(other);
  };
  for (const isSimilar of criteria) {
    for (const one of wanted) {
      const found = pairs.has(one) ? undefined : candidates(one).find((other) => isSimilar(one, other));
      if (found !== undefined) match(one, found);
    }
  }
  for (const one of wanted.filter((other) => !pairs.has(other))) {
    const [only, ...others] = candidates(one);
    if (only === undefined || others.length > 0) continue;
    const rivals = wanted.filter((rival) => rival !== one && !pairs.has(rival) && mayBe(rival, only));
    if (rivals.length === 0) match(one, only);
  }
  return pairs;
}
