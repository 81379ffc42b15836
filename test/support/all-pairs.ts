type Case = Record<string, string>;
/** The values of each field of a case. */
type Factors<Row extends Case> = { readonly [Name in keyof Row]: readonly Row[Name][] };

/**
 * Chooses cases that together contain every pair of values of two factors which a possible case has. Most defects depend on one
 * or two factors, and there are far fewer pairs than combinations.
 */
export function allPairs<Row extends Case>(
  factors: Factors<Row>,
  isPossible: (row: Row) => boolean = () => true,
): Row[] {
  const possible = combinations(factors).filter(isPossible);
  const missing = new Set(possible.flatMap(pairsOf));
  const chosen: Row[] = [];
  while (missing.size > 0) {
    const gainOf = (row: Row) => pairsOf(row).filter((pair) => missing.has(pair)).length;
    const best = possible.reduce((a, b) => (gainOf(b) > gainOf(a) ? b : a));
    chosen.push(best);
    for (const pair of pairsOf(best)) missing.delete(pair);
  }
  return chosen;
}

function combinations<Row extends Case>(factors: Factors<Row>): Row[] {
  return Object.entries<readonly string[]>(factors).reduce<Case[]>(
    (rows, [name, values]) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  ) as Row[];
}

/** With a single factor, its values count as pairs. */
function pairsOf(row: Case): string[] {
  const fields = Object.entries(row).map(([name, value]) => `${name}=${value}`);
  if (fields.length === 1) return fields;
  return fields.flatMap((first, index) => fields.slice(index + 1).map((second) => `${first}, ${second}`));
}
