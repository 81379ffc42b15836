/** A part of a page. Texts may contain code in backticks and links such as `[Errors](/docs/errors)`. */
export type Block =
  | { kind: "heading"; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "code"; text: string };

/** A page of the documentation, served as HTML at its path and as Markdown at the same path with `.md`. */
export type DocPage = { path: string; title: string; about: string; blocks: Block[] };

export const heading = (text: string): Block => ({ kind: "heading", text });
export const paragraph = (text: string): Block => ({ kind: "paragraph", text });
export const list = (items: string[]): Block => ({ kind: "list", items });
export const code = (text: string): Block => ({ kind: "code", text });

/** Writes a page in HTML. */
export function toHtml({ title, about, blocks }: DocPage): string {
  const content = [paragraph(about), ...blocks].map(blockToHtml).join("");
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Tocsin</title></head><body><main><h1>${escapeHtml(title)}</h1>${content}</main></body></html>`;
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
  if (block.kind === "heading") return `<h2>${inline(block.text)}</h2>`;
  if (block.kind === "paragraph") return `<p>${inline(block.text)}</p>`;
  if (block.kind === "code") return `<pre><code>${escapeHtml(block.text)}</code></pre>`;
  return `<ul>${block.items.map((item) => `<li>${inline(item)}</li>`).join("")}</ul>`;
}

function blockToMarkdown(block: Block): string {
  if (block.kind === "heading") return `## ${block.text}`;
  if (block.kind === "paragraph") return block.text;
  if (block.kind === "code") return `\`\`\`\n${block.text}\n\`\`\``;
  return block.items.map((item) => `- ${item}`).join("\n");
}

function linkToMarkdown(text: string): string {
  return text.replace(/\]\((\/docs[\w/-]*)\)/g, (_, path: string) => `](${markdownPath(path)})`);
}

function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, '<a href="$2">$1</a>');
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
