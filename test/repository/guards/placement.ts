import ts from "typescript";
import type { Source } from "./sources.ts";

type Rule = { name: string; home: RegExp; matches: (node: ts.Node) => boolean };

/** Global state that tests must be able to replace, and the only modules that may use it. */
const rules: Rule[] = [
  {
    name: "process.env",
    home: /^src\/(config|lib\/process\/child-environment)\.ts$/,
    matches: (node) => isMember(node, "process", "env"),
  },
  { name: "Date.now", home: /^src\/lib\/clock\.ts$/, matches: (node) => isMember(node, "Date", "now") },
  { name: "new Date()", home: /^src\/lib\/clock\.ts$/, matches: isPresentMoment },
  {
    name: "Math.random",
    home: /^src\/lib\/random\.ts$/,
    matches: (node) => isMember(node, "Math", "random"),
  },
  { name: "setTimeout", home: /^src\/lib\//, matches: (node) => isGlobal(node, "setTimeout") },
  { name: "setInterval", home: /^src\/lib\//, matches: (node) => isGlobal(node, "setInterval") },
  {
    // A bundle has another location than its sources.
    name: "import.meta",
    home: /^src\/lib\/process\/installation\.ts$/,
    matches: isOwnLocation,
  },
  { name: "export default", home: /^$/, matches: isDefaultExport },
];

/** What the text of a file has if it breaks a rule. Parsing takes most of the time, and few files have any of it. */
const signs = [
  /\bprocess\b[\s\S]*\benv\b|\benv\b[\s\S]*\bprocess\b/,
  /\bDate\b[\s\S]*\bnow\b|\bnow\b[\s\S]*\bDate\b/,
  /\bDate\s*\(|\bnew\s+[\w.\s]*\bDate\b/,
  /\bMath\b[\s\S]*\brandom\b|\brandom\b[\s\S]*\bMath\b/,
  /\bset(Timeout|Interval)\b/,
  /\bimport\s*\.\s*meta\b/,
  /\bexport\b[^;]*\bdefault\b/,
];

/** Returns the uses of global state outside its modules. Comments and strings are ignored. */
export function findMisplaced(sources: Source[]): string[] {
  const suspects = sources.filter(({ text }) => signs.some((sign) => sign.test(text)));
  return suspects.flatMap((source) => {
    const strict = rules.filter((rule) => !rule.home.test(source.path));
    const file = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.Latest, true);
    return nodesOf(file).flatMap((node) =>
      strict
        .filter((rule) => rule.matches(node))
        .map((rule) => {
          const { line } = file.getLineAndCharacterOfPosition(node.getStart());
          return `${source.path}:${line + 1} uses ${rule.name}`;
        }),
    );
  });
}

function nodesOf(root: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  const visit = (node: ts.Node) => {
    found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** `object.member`, `object["member"]` and `const { member } = object`, with or without `globalThis.` before. */
function isMember(node: ts.Node, object: string, member: string): boolean {
  if (ts.isPropertyAccessExpression(node))
    return isNamed(node.expression, object) && node.name.text === member;
  if (ts.isElementAccessExpression(node)) {
    const { expression, argumentExpression: key } = node;
    return isNamed(expression, object) && ts.isStringLiteralLike(key) && key.text === member;
  }
  if (!ts.isBindingElement(node)) return false;
  const declaration = node.parent.parent;
  if (!ts.isVariableDeclaration(declaration) || !declaration.initializer) return false;
  return isNamed(declaration.initializer, object) && (node.propertyName ?? node.name).getText() === member;
}

function isNamed(node: ts.Expression, name: string): boolean {
  if (ts.isIdentifier(node)) return node.text === name;
  if (!ts.isPropertyAccessExpression(node) || node.name.text !== name) return false;
  return ts.isIdentifier(node.expression) && node.expression.text === "globalThis";
}

function isPresentMoment(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return isNamed(node.expression, "Date") && !node.arguments?.length;
  return ts.isCallExpression(node) && isNamed(node.expression, "Date");
}

/** The global or an import of that name, not a method such as `socket.setTimeout`. */
function isGlobal(node: ts.Node, name: string): boolean {
  if (!ts.isIdentifier(node) || node.text !== name) return false;
  const { parent } = node;
  return !ts.isPropertyAccessExpression(parent) || parent.name !== node || isNamed(parent, name);
}

/** Except to find a package, which works from everywhere. */
function isOwnLocation(node: ts.Node): boolean {
  if (!ts.isPropertyAccessExpression(node) || !ts.isMetaProperty(node.expression)) return false;
  const { parent } = node;
  return !ts.isCallExpression(parent) || !isNamed(parent.expression, "createRequire");
}

/** Returns the worker tasks that name another module than the one that they are in. */
export function findMisnamedTasks(sources: Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bworkerTask\(\s*([^,]+),/g)]
      .filter(([, name]) => name !== JSON.stringify(path))
      .map(([, name]) => `${path} names ${name}`),
  );
}

function isDefaultExport(node: ts.Node): boolean {
  if (ts.isExportAssignment(node)) return true;
  if (ts.isExportSpecifier(node)) return node.name.text === "default";
  return node.kind === ts.SyntaxKind.DefaultKeyword && !ts.isDefaultClause(node.parent);
}
