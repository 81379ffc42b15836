/** Returns whether an error text means that a log query spans too many blocks or matches too many logs. */
export function isRangeProblem(text: string): boolean {
  return suggestions.some(({ pattern }) => pattern.test(text)) || tooWide.test(text);
}

/** Returns the span to try after such an error about `span` blocks: always smaller, and at least one block. */
export function narrowRange(text: string, span: number): number {
  const halved = Math.max(1, Math.floor(span / 2));
  for (const { pattern, blocks } of suggestions) {
    const match = pattern.exec(text);
    if (!match) continue;
    const suggested = blocks(match);
    return suggested >= 1 && suggested < span ? Math.floor(suggested) : halved;
  }
  return halved;
}

type Suggestion = { pattern: RegExp; blocks: (match: RegExpExecArray) => number };

const count = (text: string | undefined) => Number((text ?? "").replace(/[,.]/g, ""));
const between = ([, from = "", to = ""]: RegExpExecArray) =>
  Number.parseInt(to, 16) - Number.parseInt(from, 16) + 1;
const stated = ([, blocks]: RegExpExecArray) => count(blocks);
// Some nodes state the distance and some the number of blocks; one less is correct for both.
const statedLessOne = (match: RegExpExecArray) => stated(match) - 1;

const suggestions: Suggestion[] = [
  {
    pattern: /requested too many blocks from \d+ to \d+, maximum is set to (\d+)/i,
    blocks: statedLessOne,
  },
  { pattern: /max range: (\d+)/i, blocks: statedLessOne },
  { pattern: /maximum allowed number of requested blocks is (\d+)/i, blocks: stated },
  { pattern: /try with this block range \[0x([0-9a-f]+),\s*0x([0-9a-f]+)\]/i, blocks: between },
  { pattern: /this block range should work: \[0x([0-9a-f]+),\s*0x([0-9a-f]+)\]/i, blocks: between },
  { pattern: /block range is too wide \(maximum (\d+)\)/i, blocks: stated },
  { pattern: /limited to (?:a )?(\d[\d,.]*)(?:\s*-?block)?/i, blocks: stated },
  { pattern: /range allowed for your plan \(\d+ > (\d+)\)/i, blocks: stated },
  { pattern: /limit the query to at most ([\d,.]+) blocks/i, blocks: statedLessOne },
  { pattern: /maximum block range:? ([\d,.]+)/i, blocks: stated },
  { pattern: /exceeds? max block range:? ([\d,.]+)/i, blocks: stated },
  { pattern: /block range greater than ([\d,.]+) max/i, blocks: stated },
  { pattern: /block range exceeds ([\d,.]+)/i, blocks: stated },
  { pattern: /range is too large, max is (\d+)k blocks/i, blocks: (match) => stated(match) * 1000 },
  { pattern: /query must be smaller than size ([\d,.]+)/i, blocks: statedLessOne },
  { pattern: /up to an? ([\d,.]+) block range/i, blocks: stated },
  { pattern: /maximum \[from, to\] blocks distance: (\d+)/i, blocks: stated },
];

const tooWide =
  /block range|range threshold exceeded|exceeded max allowed|range (is )?too (large|wide)|response (is )?too large|query exceeds max results|logs matched by query exceeds limit|query returned more than|response size|ranges over \d+ blocks|too many (results|logs)|query timeout exceeded/i;
