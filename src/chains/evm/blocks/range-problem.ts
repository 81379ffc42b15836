/** Whether an error text says that a query for logs spans too many blocks or finds too much. */
export function isRangeProblem(text: string): boolean {
  return suggestions.some(({ says }) => says.test(text)) || narrower.test(text);
}

/** How many blocks to ask for next after such an error about `span` blocks: always fewer, and at least one. */
export function narrowRange(text: string, span: number): number {
  const halved = Math.max(1, Math.floor(span / 2));
  for (const { says, blocks } of suggestions) {
    const found = says.exec(text);
    if (!found) continue;
    const suggested = blocks(found);
    return suggested >= 1 && suggested < span ? Math.floor(suggested) : halved;
  }
  return halved;
}

type Suggestion = { says: RegExp; blocks: (found: RegExpExecArray) => number };

const count = (text: string | undefined) => Number((text ?? "").replace(/[,.]/g, ""));
const between = ([, from = "", to = ""]: RegExpExecArray) =>
  Number.parseInt(to, 16) - Number.parseInt(from, 16) + 1;
const first = ([, blocks]: RegExpExecArray) => count(blocks);
// Some count the distance between the ends and some the blocks; one fewer is right for both.
const oneLess = (found: RegExpExecArray) => first(found) - 1;

const suggestions: Suggestion[] = [
  {
    says: /requested too many blocks from \d+ to \d+, maximum is set to (\d+)/i,
    blocks: oneLess,
  },
  { says: /max range: (\d+)/i, blocks: oneLess },
  { says: /maximum allowed number of requested blocks is (\d+)/i, blocks: first },
  { says: /try with this block range \[0x([0-9a-f]+),\s*0x([0-9a-f]+)\]/i, blocks: between },
  { says: /this block range should work: \[0x([0-9a-f]+),\s*0x([0-9a-f]+)\]/i, blocks: between },
  { says: /block range is too wide \(maximum (\d+)\)/i, blocks: first },
  { says: /limited to (?:a )?(\d[\d,.]*)(?:\s*-?block)?/i, blocks: first },
  { says: /range allowed for your plan \(\d+ > (\d+)\)/i, blocks: first },
  { says: /limit the query to at most ([\d,.]+) blocks/i, blocks: oneLess },
  { says: /maximum block range:? ([\d,.]+)/i, blocks: first },
  { says: /exceeds? max block range:? ([\d,.]+)/i, blocks: first },
  { says: /block range greater than ([\d,.]+) max/i, blocks: first },
  { says: /block range exceeds ([\d,.]+)/i, blocks: first },
  { says: /range is too large, max is (\d+)k blocks/i, blocks: (found) => first(found) * 1000 },
  { says: /query must be smaller than size ([\d,.]+)/i, blocks: oneLess },
  { says: /up to an? ([\d,.]+) block range/i, blocks: first },
  { says: /maximum \[from, to\] blocks distance: (\d+)/i, blocks: first },
];

const narrower =
  /block range|range threshold exceeded|exceeded max allowed|range (is )?too (large|wide)|response (is )?too large|query exceeds max results|logs matched by query exceeds limit|query returned more than|response size|ranges over \d+ blocks|too many (results|logs)|query timeout exceeded/i;
