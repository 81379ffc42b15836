import type { Config } from "../../config.ts";
import { agentsPage } from "./agents.ts";
import { configurationPage } from "./configuration.ts";
import { errorPages } from "./errors.ts";
import { type DocPage, list, markdownPath } from "./page.ts";
import type { ApiDocument } from "./reference/openapi-parts.ts";
import { referencePages } from "./reference/reference-pages.ts";

/** Every page of the documentation, by its path. */
export function makeDocPages(config: Pick<Config, "publicUrl">, document: ApiDocument): Map<string, DocPage> {
  const base = baseOf(config);
  const pages = [...referencePages(document), agentsPage(base), configurationPage(base), ...errorPages()];
  const all = [indexPage(pages), ...pages];
  return new Map(all.map((page) => [page.path, page]));
}

/** The pages that are linked from everywhere; those about single errors are found from their list. */
export const mainPaths = ["/docs", "/docs/api", "/docs/agents", "/docs/configuration", "/docs/errors"];

function indexPage(pages: DocPage[]): DocPage {
  const links = pages
    .filter(({ path }) => mainPaths.includes(path))
    .map(({ path, title, about }) => `[${title}](${path}): ${withoutLinks(about)}`);
  return {
    path: "/docs",
    title: "Documentation",
    about:
      "Tocsin monitors smart contracts for organisations and notifies the right people when something is wrong.",
    blocks: [
      list([...links, "[OpenAPI document](/openapi.json): the operations with their schemas, for programs."]),
    ],
  };
}

/** The list of documents for language models, in the format of llmstxt.org. */
export function makeLlmsText(pages: ReadonlyMap<string, DocPage>, config: Pick<Config, "publicUrl">): string {
  const base = config.publicUrl ? baseOf(config) : "";
  const links = mainPaths.flatMap((path) => {
    const page = pages.get(path);
    return page ? [`- [${page.title}](${base}${markdownPath(path)}): ${withoutLinks(page.about)}`] : [];
  });
  const document = `- [OpenAPI document](${base}/openapi.json): every operation with its schemas.`;
  const about = pages.get("/docs")?.about ?? "";
  return ["# Tocsin", `> ${about}`, "## Documentation", [...links, document].join("\n")]
    .join("\n\n")
    .concat("\n");
}

function baseOf({ publicUrl }: Pick<Config, "publicUrl">): string {
  return publicUrl?.href.replace(/\/$/, "") ?? "http://localhost:8080";
}

function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
}
