/** Returns the known name that is most likely meant; undefined when none is similar. Upper and lower case are the same. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const text = name.slice(0, maxLength).toLowerCase();
  let best: { name: string; distance: number } | undefined;
  for (const candidate of names) {
    const distance = distanceBetween(text, candidate.slice(0, maxLength).toLowerCase());
    if (distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { name: candidate, distance };
  }
  return best && best.distance <= Math.max(2, Math.floor(text.length / 2)) ? best.name : undefined;
}

/** The comparison takes time in proportion to the product of both lengths. */
const maxLength = 100;

/** The number of insertions, deletions and replacements that turn one text into the other. */
function distanceBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The number of names in a message; an ABI may have thousands. */
const maxListed = 40;

/** Describes the names that exist, and the one that is most likely meant: "did you mean amount? The names are from, to, amount". */
export function suggestNames(unknown: string, names: readonly string[], subject = "names"): string {
  if (names.length === 0) return `there are no ${subject}`;
  const nearest = nearestName(unknown, names);
  const listed = names.slice(0, maxListed).join(", ");
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : "";
  const list = `the ${subject} are ${listed}${more}`;
  return nearest ? `did you mean ${nearest}? ${list[0]?.toUpperCase()}${list.slice(1)}` : list;
}
