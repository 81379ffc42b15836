import createClient from "openapi-fetch";
import { expect, test } from "vitest";
import type { paths } from "../../web/src/lib/schema.d.ts";
import { freshAddress } from "../api/contracts/contract-steps.ts";
import { makeKey } from "../api/orgs/keys.ts";
import { harness } from "../support/harness.ts";

const h = await harness();

test("a generated client adds a contract, a rule and a channel, runs a fire drill and reads pages", async () => {
  const owner = await h.personOn("enterprise");
  const { key } = await makeKey(owner);
  const baseUrl = await h.server.listen({ port: 0, host: "127.0.0.1" });
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const contracts: string[] = [];
  for (let n = 0; n < 3; n++) {
    const body = { chain: "local" as const, address: freshAddress(), label: `Vault ${n}` };
    const { data } = await api.POST("/api/v1/contracts", { body });
    contracts.push(data?.id ?? "");
  }
  const path = { contract_id: contracts[0] ?? "" };
  const target = await api.POST("/api/v1/contracts/{contract_id}/targets", {
    params: { path },
    body: { target_type: "tx_rate", config: { direction: "to" } },
  });
  const channel = await api.POST("/api/v1/channels", {
    body: { type: "pagerduty", name: "Duty", config: { routing_key: "0".repeat(32) } },
  });
  const rule = await api.POST("/api/v1/alerts", {
    body: {
      target_id: target.data?.id ?? "",
      channel_id: channel.data?.id ?? "",
      severity: "critical",
      condition: { operator: "gt", threshold: 5 },
    },
  });
  const drill = await api.POST("/api/v1/alerts/{rule_id}/test", {
    params: { path: { rule_id: rule.data?.id ?? "" } },
  });
  expect(drill.data?.steps[0]?.recipients[0]?.outcome).toBe("notified");
  const page = await api.GET("/api/v1/contracts", { params: { query: { limit: 2, q: "vault" } } });
  expect(page.data?.map(({ id }) => id)).toEqual(contracts.slice(1).reverse());
  expect(page.response.headers.get("x-total-count")).toBe("3");
  const missing = await api.GET("/api/v1/alerts/{rule_id}", {
    params: { path: { rule_id: contracts[0] ?? "" } },
  });
  expect([missing.response.status, missing.data]).toEqual([404, undefined]);
});
