/** A part of a page. Texts may contain code in backticks and links such as `[Errors](/docs/errors)`. */
export type Block =
  | { kind: "heading"; text: string; level: 2 | 3; id: string | undefined }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "table"; columns: string[]; rows: string[][] }
  | { kind: "code"; text: string };

/** A page of the documentation, served as HTML at its path and as Markdown at the same path with `.md`. */
export type DocPage = { path: string; title: string; about: string; blocks: Block[] };

export const heading = (text: string): Block => ({ kind: "heading", text, level: 2, id: undefined });
/** A heading within a section, to which links lead by its id. */
export const subheading = (text: string, id: string): Block => ({ kind: "heading", text, level: 3, id });
export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
export const list = (items: string[]): Block => ({ kind: "list", items });
export const table = (columns: string[], rows: string[][]): Block => ({ kind: "table", columns, rows });
export const code = (text: string): Block => ({ kind: "code", text });

const navigation = [
  ["/docs", "Documentation"],
  ["/redoc", "API reference"],
  ["/docs/errors", "Error codes"],
  ["/", "Dashboard"],
];

/** Writes a page in HTML. */
export function toHtml({ title, about, blocks }: DocPage): string {
  const content = [paragraph(about), ...blocks].map(blockToHtml).join("");
  const links = navigation.map(([href, text]) => `<a href="${href}">${text}</a>`).join("");
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)} · Tocsin</title><link rel="icon" href="data:,">`,
    '<link rel="stylesheet" href="/assets/docs.css"><script src="/assets/docs.js" defer></script></head>',
    `<body><nav aria-label="Documentation">${links}</nav><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`,
  ].join("");
}

/** Writes a page in Markdown. Its links lead to the Markdown of other pages. */
export function toMarkdown({ title, about, blocks }: DocPage): string {
  return `${[`# ${title}`, about, ...blocks.map(blockToMarkdown)].map(linkToMarkdown).join("\n\n")}\n`;
}

/** The path of the Markdown of a page. */
export function markdownPath(path: string): string {
  return `${path}.md`;
}

function blockToHtml(block: Block): string {
  if (block.kind === "heading") {
    const { level, id, text } = block;
    return `<h${level}${id ? ` id="${escapeHtml(id)}"` : ""}>${inline(text)}</h${level}>`;
  }
  if (block.kind === "paragraph") return `<p>${inline(block.text)}</p>`;
  if (block.kind === "code") return `<pre tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
  if (block.kind === "list")
    return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`;
  const head = block.columns.map((text) => `<th scope="col">${inline(text)}</th>`).join("");
  const rows = block.rows.map((row) => `<tr>${row.map((text) => `<td>${inline(text)}</td>`).join("")}</tr>`);
  return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

function blockToMarkdown(block: Block): string {
  if (block.kind === "heading") return `${"#".repeat(block.level)} ${block.text}`;
  if (block.kind === "paragraph") return block.text;
  if (block.kind === "code") return `\`\`\`\n${block.text}\n\`\`\``;
  if (block.kind === "list") return block.items.map((item) => `- ${item}`).join("\n");
  const line = (cells: string[]) => `| ${cells.map(toCell).join(" | ")} |`;
  return [line(block.columns), line(block.columns.map(() => "---")), ...block.rows.map(line)].join("\n");
}

function toCell(text: string): string {
  return text.replaceAll("|", "\\|").replace(/\s+/g, " ");
}

/** Links to sections lead to their page, because Markdown has no ids of its own. */
function linkToMarkdown(text: string): string {
  return text.replace(/\]\((\/docs[\w/-]*)(#[\w-]*)?\)/g, (_, path: string) => `](${markdownPath(path)})`);
}

function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
