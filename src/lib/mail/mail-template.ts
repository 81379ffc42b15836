/** The content of a mail. Every string is plain text. */
export type MailContent = {
  title: string;
  paragraphs: string[];
  /** Sections before the paragraphs, each with a table of facts. */
  sections?: MailSection[];
  action?: { label: string; url: string };
  footer?: string;
};

export type MailSection = {
  title?: string;
  text: string;
  facts: { name: string; value: string; url: string | null }[];
};

/** Renders a mail as text and HTML. Content cannot become markup, and the mail loads nothing. */
export function mailTemplate(content: MailContent): { text: string; html: string } {
  const { title, paragraphs, sections = [], action, footer } = clean(content);
  return {
    text: [
      title,
      ...sections.map(sectionText),
      ...paragraphs,
      action && `${action.label}:\n${action.url}`,
      footer && `-- \n${footer}`,
    ]
      .filter((part) => part)
      .join("\n\n")
      .concat("\n"),
    html: page(
      title,
      [
        `<h1 style="font-size:20px;line-height:1.3;margin:0 0 16px">${escapeHtml(title)}</h1>`,
        ...sections.map(sectionHtml),
        ...paragraphs.map((paragraph) => `<p style="margin:0 0 16px">${escapeHtml(paragraph)}</p>`),
        action ? button(action) : "",
        footer ? `<p style="margin:24px 0 0;font-size:13px;opacity:.75">${escapeHtml(footer)}</p>` : "",
      ].join("\n"),
    ),
  };
}

function sectionText({ title, text, facts }: MailSection): string {
  const lines = facts.flatMap(({ name, value, url }) => [`${name}: ${value}`, ...(url ? [`  ${url}`] : [])]);
  return [...(title ? [title] : []), text, ...lines].join("\n");
}

function sectionHtml({ title, text, facts }: MailSection): string {
  const rows = facts.map(({ name, value, url }) => {
    const shown = url
      ? `<a href="${escapeHtml(url)}" style="color:inherit">${escapeHtml(value)}</a>`
      : escapeHtml(value);
    return `<tr><th align="left" valign="top" style="padding:2px 12px 2px 0;white-space:nowrap">${escapeHtml(name)}</th><td style="padding:2px 0">${shown}</td></tr>`;
  });
  return [
    title ? `<h2 style="font-size:16px;line-height:1.3;margin:24px 0 8px">${escapeHtml(title)}</h2>` : "",
    `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`,
    `<table role="presentation" style="border-collapse:collapse;font-size:14px;margin:0 0 16px">${rows.join("\n")}</table>`,
  ].join("\n");
}

// Sets no text or background colour outside the button, so that the mail client's light or dark theme applies.
function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}</style>
</head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${body}
</div>
</body>
</html>
`;
}

const buttonStyle =
  "display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none";

function button({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url);
  return `<p style="margin:24px 0"><a href="${address}" style="${buttonStyle}">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px">Or open this address:<br><a href="${address}" style="color:inherit">${address}</a></p>`;
}

function clean(content: MailContent): MailContent {
  const { action, footer, sections = [] } = content;
  return {
    title: oneLine(content.title),
    paragraphs: content.paragraphs.map(oneLine),
    sections: sections.map(cleanSection),
    ...(action && { action: { label: oneLine(action.label), url: webAddress(action.url) } }),
    ...(footer && { footer: oneLine(footer) }),
  };
}

function cleanSection({ title, text, facts }: MailSection): MailSection {
  return {
    ...(title && { title: oneLine(title) }),
    text: oneLine(text),
    facts: facts.map(({ name, value, url }) => ({
      name: oneLine(name),
      value: oneLine(value),
      url: url && webAddress(url),
    })),
  };
}

// Untrusted names must not add lines or change the text direction.
function oneLine(text: string): string {
  return text
    .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

function webAddress(text: string): string {
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError("A mail links to the web only.");
  return url.href;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
