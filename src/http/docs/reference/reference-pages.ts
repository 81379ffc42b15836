import { type Block, type DocPage, heading, list, paragraph } from "../page.ts";
import { type ApiDocument, type ApiOperation, schemaPath, tagPath } from "./openapi-parts.ts";
import { operationBlocks } from "./operation-blocks.ts";
import { descriptionOf, schemaBlocks } from "./schema-table.ts";

type Call = { call: string; operation: ApiOperation };

/** The reference of the API: an overview, a page for each group of operations, and one for each schema. */
export function referencePages(document: ApiDocument): DocPage[] {
  const calls = callsOf(document.paths);
  return [
    overviewPage(document, calls),
    ...document.tags.map((tag) => tagPage(document, tag, ofTag(calls, tag.name))),
    webhooksPage(document),
    ...Object.entries(document.components.schemas).map(([name, schema]) => ({
      path: schemaPath(name),
      title: name,
      about: descriptionOf(schema) || "A schema of the API.",
      blocks: schemaBlocks(schema),
    })),
  ];
}

const webhooksPath = "/docs/api/webhooks";

function overviewPage({ info, tags }: ApiDocument, calls: readonly Call[]): DocPage {
  return {
    path: "/docs/api",
    title: "API reference",
    about: "Every operation of the API. Programs read the [OpenAPI document](/openapi.json).",
    blocks: [
      ...info.description.split("\n\n").map((text) => paragraph(withoutCodes(text.replaceAll("\n", " ")))),
      ...tags.flatMap(({ name, description }): Block[] => [
        heading(`[${name}](${tagPath(name)})`),
        paragraph(description),
        list(ofTag(calls, name).map((call) => linkTo(call, tagPath(name)))),
      ]),
      heading(`[Webhooks](${webhooksPath})`),
      paragraph("The signed messages that channels of the type `webhook` get."),
    ],
  };
}

/** The error codes have pages of their own. */
function withoutCodes(text: string): string {
  return text.replace(/Error codes: .*/, "See the [error codes](/docs/errors).");
}

function tagPage(document: ApiDocument, tag: ApiDocument["tags"][number], calls: readonly Call[]): DocPage {
  return {
    path: tagPath(tag.name),
    title: tag.name,
    about: `${tag.description} [All operations](/docs/api)`,
    blocks: [
      list(calls.map((call) => linkTo(call, tagPath(tag.name)))),
      ...calls.flatMap(({ call, operation }) => operationBlocks(document, call, operation)),
    ],
  };
}

function webhooksPage(document: ApiDocument): DocPage {
  return {
    path: webhooksPath,
    title: "Webhooks",
    about: "The signed messages that channels of the type `webhook` get. [All operations](/docs/api)",
    blocks: Object.entries(document.webhooks).flatMap(([name, methods]) =>
      Object.values(methods).flatMap(({ security: _, ...operation }) =>
        operationBlocks(document, `POST to the URL of the channel: ${name}`, operation),
      ),
    ),
  };
}

function linkTo({ call, operation: { summary, operationId } }: Call, path: string): string {
  return `[${summary}](${path}#${operationId}) \`${call}\``;
}

function callsOf(paths: ApiDocument["paths"]): Call[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      call: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

function ofTag(calls: readonly Call[], tag: string): Call[] {
  return calls.filter(({ operation }) => operation.tags?.includes(tag));
}
