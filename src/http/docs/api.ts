import { apiPrefix } from "../mount.ts";
import type { Operation } from "../operation.ts";
import { publicGroups } from "../routes/index.ts";
import { type Block, type DocPage, heading, list, paragraph } from "./page.ts";

/** Every public operation with its description, as an overview of the OpenAPI document. */
export function apiPage(): DocPage {
  return {
    path: "/docs/api",
    title: "API operations",
    about:
      "Every operation of the API. The [OpenAPI document](/openapi.json) has their schemas, and the [reference](/redoc) shows them.",
    blocks: publicGroups.flatMap(({ tag, about, operations }): Block[] => [
      heading(tag),
      paragraph(about),
      list(operations.map(describe)),
    ]),
  };
}

function describe({ method, path, summary, description }: Operation): string {
  return `\`${method} ${apiPrefix}${path}\`: ${summary}. ${description}`;
}
