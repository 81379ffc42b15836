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

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
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
  let at = skipSpace(source, 0);
  while (at < source.length) {
    const token = readToken(source, at);
    const end = pattern.lastIndex;
    rejectAdjacent(source, token, end);
    tokens.push(token);
    at = skipSpace(source, end);
  }
  return [...tokens, { kind: "end", text: "", at: source.length }];
}

function skipSpace(source: string, from: number): number {
  let at = from;
  while (" \t\r\n".includes(source[at] ?? "x")) at += 1;
  return at;
}

function readToken(source: string, at: number): Token {
  pattern.lastIndex = at;
  const groups = pattern.exec(source)?.groups ?? {};
  if (groups.symbol !== undefined) return { kind: "symbol", text: groups.symbol, at };
  if (groups.word !== undefined) return { kind: "word", text: groups.word, at };
  if (groups.hex !== undefined) return { kind: "hex", text: groups.hex, at };
  if (groups.number !== undefined) return { kind: "number", text: groups.number, at };
  if (groups.text !== undefined) return { kind: "text", text: readText(groups.text, at), at };
  throw new SyntaxProblem(adviceOn(source, at), at);
}

/** Rejects `5a` and `0xfg`, which are typing errors rather than a number followed by a name. */
function rejectAdjacent(source: string, token: Token, end: number): void {
  if (token.kind !== "number" && token.kind !== "hex" && token.kind !== "word") return;
  if (/[A-Za-z0-9_$]/.test(source[end] ?? "")) {
    throw new SyntaxProblem(`"${token.text}${source[end]}" is neither a number nor a name.`, token.at);
  }
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", "\\": "\\", "'": "'", '"': '"' };

function readText(quoted: string, at: number): string {
  return quoted.slice(1, -1).replace(/\\(u[0-9a-fA-F]{4}|[\s\S])/g, (_, what: string, offset: number) => {
    if (what.length === 5) return String.fromCharCode(Number.parseInt(what.slice(1), 16));
    const meant = Object.hasOwn(escapes, what) ? escapes[what] : undefined;
    if (meant !== undefined) return meant;
    throw new SyntaxProblem(`\\${what} is not an escape; write \\\\ for a backslash.`, at + 1 + offset);
  });
}

function adviceOn(source: string, at: number): string {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
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
