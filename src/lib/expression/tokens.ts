/** A token. `at` is its index. The parser decides whether a word is an operator, a literal or a name. */
export type Token = {
  kind: "symbol" | "word" | "number" | "hex" | "text" | "end";
  text: string;
  at: number;
};

/** A syntax error with its position and advice. */
export class SyntaxProblem extends Error {
  override name = "SyntaxProblem";
  readonly at: number;

  constructor(message: string, position: number) {
    super(message);
    this.at = position;
  }
}

const pattern = new RegExp(
  [
    /(?<hex>0x[0-9a-fA-F]*)/,
    /(?<number>\d[\d_]*(?:\.[\d_]+)?(?:[eE][+-]?[\d_]+)?)/,
    /(?<word>[A-Za-z_][A-Za-z0-9_]*|\$\d+)/,
    /(?<text>"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*')/,
    /(?<symbol>&&|\|\||[=!<>]=|[!<>()[\],.+*/-])/,
  ]
    .map((part) => part.source)
    .join("|"),
  "y",
);

/** Splits source text into tokens in one pass. The last token has the kind `end`. */
export function readTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let position = skipSpace(source, 0);
  while (position < source.length) {
    const token = readToken(source, position);
    const end = pattern.lastIndex;
    rejectAdjacent(source, token, end);
    tokens.push(token);
    position = skipSpace(source, end);
  }
  return [...tokens, { kind: "end", text: "", at: source.length }];
}

function skipSpace(source: string, from: number): number {
  let position = from;
  while (" \t\r\n".includes(source[position] ?? "x")) position += 1;
  return position;
}

function readToken(source: string, position: number): Token {
  pattern.lastIndex = position;
  const groups = pattern.exec(source)?.groups ?? {};
  if (groups.symbol !== undefined) return { kind: "symbol", text: groups.symbol, at: position };
  if (groups.word !== undefined) return { kind: "word", text: groups.word, at: position };
  if (groups.hex !== undefined) return { kind: "hex", text: groups.hex, at: position };
  if (groups.number !== undefined) return { kind: "number", text: groups.number, at: position };
  if (groups.text !== undefined) return { kind: "text", text: readText(groups.text, position), at: position };
  throw new SyntaxProblem(adviceOn(source, position), position);
}

/** Rejects `5a` and `0xfg`, which are typing errors rather than a number followed by a name. */
function rejectAdjacent(source: string, token: Token, end: number): void {
  if (token.kind !== "number" && token.kind !== "hex" && token.kind !== "word") return;
  if (/[A-Za-z0-9_$]/.test(source[end] ?? "")) {
    throw new SyntaxProblem(`"${token.text}${source[end]}" is neither a number nor a name.`, token.at);
  }
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", "\\": "\\", "'": "'", '"': '"' };

function readText(quoted: string, position: number): string {
  return quoted.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (_, what: string, offset: number) => {
    if (what.length === 5) return String.fromCharCode(Number.parseInt(what.slice(1), 16));
    const meant = Object.hasOwn(escapes, what) ? escapes[what] : undefined;
    if (meant !== undefined) return meant;
    throw new SyntaxProblem(`\\${what} is not an escape; write \\\\ for a backslash.`, position + 1 + offset);
  });
}

function adviceOn(source: string, position: number): string {
  const character = String.fromCodePoint(source.codePointAt(position) ?? 0);
  switch (character) {
    case "=":
      return "A single = does not compare; write ==.";
    case '"':
    case "'":
      return "This text has no closing quote.";
    case "&":
    case "|":
      return "Write and, or, && or ||.";
    case "^":
      return "There are no powers; write the number out, such as 1e18.";
    case "$":
      return "A $ is followed by the position of an argument, such as $0.";
    default:
      return `The character ${JSON.stringify(character)} has no meaning here.`;
  }
}
