import { tools } from "../mcp/tools.ts";
import { code, type DocPage, heading, list, paragraph } from "./page.ts";

/** How an AI agent connects, and what it can do. */
export function agentsPage(base: string): DocPage {
  return {
    path: "/docs/agents",
    title: "AI agents",
    about:
      "Agents use the service through the Model Context Protocol (MCP), over streamable HTTP at `/mcp`, with an API key of the organisation.",
    blocks: [
      paragraph("Create a key with `POST /api-keys`, and give it to the client of the agent:"),
      code(clientConfig(base)),
      paragraph(
        "A key with the scope `read_only` gets the tools that read. A key of some contracts or chains sees only those. Every call of a tool " +
          "is a request to the API with this key: the same limits apply, and changes and denials are in the audit log.",
      ),
      heading("Tools"),
      list([...tools().values()].map(({ name, description }) => `\`${name}\`: ${description}`)),
      heading("Resources"),
      list([
        "`tocsin://contracts/{contract_id}`: a monitored contract.",
        "`tocsin://events/{event_id}`: an alert with its explanation and deliveries.",
      ]),
      heading("Errors"),
      paragraph(
        "A tool that fails returns `isError` with a text that says what is wrong, what to do, and the [error code](/docs/errors). Requests without a " +
          "valid key get 401, requests beyond the rate limit 429 with `Retry-After`, bodies of more than 1 MiB 413. The server keeps no session " +
          "and sends no notifications.",
      ),
    ],
  };
}

function clientConfig(base: string): string {
  const server = { type: "http", url: `${base}/mcp`, headers: { Authorization: "Bearer tocsin_…" } };
  return JSON.stringify({ mcpServers: { tocsin: server } }, null, 2);
}
