import {
  Client as Client2026,
  StreamableHTTPClientTransport as Transport2026,
} from "@modelcontextprotocol/client";
import { Client as Client2025 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Transport2025 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, onTestFinished, test } from "vitest";
import { addContract } from "../../api/contracts/contract-steps.ts";
import { makeKey } from "../../api/orgs/keys.ts";
import { harness } from "../../support/harness.ts";
import { post } from "./agent.ts";

const h = await harness();
const baseUrl = await h.server.listen({ port: 0, host: "127.0.0.1" });
const owner = await h.personOn("enterprise");
const { key } = await makeKey(owner);
const contract = await addContract(owner);

const url = new URL("/mcp", baseUrl);
const options = { requestInit: { headers: { authorization: `Bearer ${key}` } } };
const clientInfo = { name: "test", version: "1.0.0" };

/** Clients of both major versions of the official SDK. The second one negotiates the revision that needs no connection. */
const clients = {
  "of 2025": async () => {
    const client = new Client2025(clientInfo);
    await client.connect(new Transport2025(url, options));
    return client;
  },
  "of 2026 in the manner of 2025": async () => {
    const client = new Client2026(clientInfo);
    await client.connect(new Transport2026(url, options));
    return client;
  },
  "of 2026": async () => {
    const client = new Client2026(clientInfo, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new Transport2026(url, options));
    return client;
  },
};

test.each(Object.entries(clients))(
  "a client %s lists and calls tools and reads resources",
  async (_, open) => {
    const client = await open();
    onTestFinished(() => client.close());
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("get_contract");
    const args = { name: "get_contract", arguments: { contract_id: contract.id } };
    expect(await client.callTool(args)).toMatchObject({ structuredContent: { id: contract.id } });
    const { resources } = await client.listResources();
    const uri = `tocsin://contracts/${contract.id}`;
    expect(resources.map((resource) => resource.uri)).toContain(uri);
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { uri, mimeType: "application/json" },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
  },
);

test.each(Object.entries(clients))("a client %s learns which tools exist", async (_, open) => {
  const client = await open();
  onTestFinished(() => client.close());
  await expect(client.callTool({ name: "drop_table", arguments: {} })).rejects.toThrow(
    /There is no tool drop_table. Use one of: .*list_contracts/,
  );
  await expect(client.readResource({ uri: "tocsin://rules/1" })).rejects.toThrow(
    "There is no resource tocsin://rules/1",
  );
});

test("a subscription is rejected with what to do instead", async () => {
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const method = "subscriptions/listen";
  const message = {
    jsonrpc: "2.0",
    id: 7,
    method,
    params: { notifications: { toolsListChanged: true }, _meta },
  };
  const reply = await post(baseUrl, key, message, { "mcp-protocol-version": version, "mcp-method": method });
  expect(await reply.json()).toMatchObject({
    id: 7,
    error: { code: -32601, message: expect.stringContaining("Call search_history again") },
  });
});
