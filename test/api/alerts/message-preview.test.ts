import { expect, test } from "vitest";
import { channels } from "../../../src/channels/index.ts";
import { messageVariables } from "../../../src/pipeline/index.ts";
import { ensurePartition } from "../../../src/store/engine/partitions.ts";
import { insertSamples } from "../../../src/store/engine/samples.ts";
import type { MessagePreviews } from "../../../src/wire/alerts/message-preview.ts";
import { harness } from "../../support/harness.ts";
import { addContract, addContractWithRule, addTarget } from "../contracts/contract-steps.ts";

const h = await harness();
const owner = await h.person();
const { contract, target } = await addContractWithRule(owner);

const preview = (more: object = {}) =>
  owner.client.post("/alerts/preview", {
    target_id: target.id,
    severity: "critical",
    name: "Busy",
    condition: { operator: "gt", threshold: 10, window_seconds: 300 },
    ...more,
  });
const messagesOf = async (more: object = {}) => ((await preview(more)).body as MessagePreviews).messages;

test("a preview shows the message of every channel type, with a value that fulfils the condition", async () => {
  const messages = await messagesOf();
  expect(messages.map(({ channel_type }) => channel_type)).toEqual(channels.map(({ type }) => type));
  const title = `Critical: ${contract.label} on Local development node: 11 transactions in 5 min`;
  const of = (type: string) => messages.find(({ channel_type }) => channel_type === type);
  for (const type of ["inbox", "slack", "discord", "telegram", "teams", "email"])
    expect(of(type)).toMatchObject({
      format: "text",
      title,
      text: expect.stringContaining("11 transactions"),
    });
  expect(of("slack")?.text).toMatch(/Measured: count over 300 s is 11: above 10\n.*Rule: Busy/s);
  expect(of("email")?.text).toContain("The rule “Busy” fires above 10 transactions.");
  expect(of("sms")).toMatchObject({ title: null, text: `Tocsin: ${title.replace("…", "...")}.` });
  expect(JSON.parse(of("webhook")?.text ?? "")).toMatchObject({
    type: "alert.fired",
    data: { alerts: [{ value: 11, threshold: 10 }] },
  });
  expect(JSON.parse(of("pagerduty")?.text ?? "")).not.toHaveProperty("routing_key");
});

test("a preview fills every variable of the message template, and names arguments that no reading has yet", async () => {
  const template = [...messageVariables, "args.to"].map((name) => `${name}=[{{${name}}}]`).join(" ");
  const event = await addTarget(owner, contract.id, {
    target_type: "event_frequency",
    config: { event_signature: "Transfer(address from, address to, uint256 value)" },
  });
  const [{ text = "" } = {}] = await messagesOf({ target_id: event.id, message_template: template });
  expect(text).not.toContain("{{");
  expect(text).toContain(`contract.label=[${contract.label}]`);
  expect(text).toContain("rule.name=[Busy]");
  expect(text).toContain("args.to=[‹to›]");
  expect(text).toContain("tx.hash=[‹transaction›]");
});

test("a preview shows the clause of every condition of a rule with several", async () => {
  const balance = await addTarget(owner, contract.id, { target_type: "native_balance" });
  const low = { target_id: balance.id, operator: "lt", threshold: 5, window_seconds: 3_600 };
  const condition = { operator: "gt", threshold: 10, window_seconds: 300, all: [low] };
  const messages = await messagesOf({ condition });
  expect(messages.find(({ channel_type }) => channel_type === "slack")?.text).toContain(
    "Measured: tx_rate: count over 300 s is 11: above 10; and native_balance: last over 3600 s is 4.5: below 5\n",
  );
});

test("a preview names other contracts of the reading by their label", async () => {
  const event_signature = "Transfer(address from, address to, uint256 value)";
  const config = { event_signature };
  const event = await addTarget(owner, contract.id, { target_type: "event_frequency", config });
  const vault = await addContract(owner, { label: "Vault" });
  const args = { from: contract.address, to: vault.address, value: "7" };
  const time = Math.floor(h.clock.now().getTime() / 1000);
  const evidence = { decoded: { name: "Transfer", signature: event_signature, args } };
  await ensurePartition(h.app.db, "samples", time);
  await insertSamples(h.app.db, "local", [
    {
      ...{ series_id: event.id, org_id: owner.org_id, height: 7, time, position: 0 },
      ...{ value: 1, subject: null, evidence },
    },
  ]);
  const messages = await messagesOf({ target_id: event.id, condition: { operator: "gte", threshold: 1 } });
  expect(messages.find(({ channel_type }) => channel_type === "slack")?.text).toContain("Vault");
});

test("a preview names the field of a template or condition that could not be saved", async () => {
  const fields = async (more: object) =>
    ((await preview(more)).body as { detail: { loc: string[] }[] }).detail.map(({ loc }) => loc.join("."));
  expect(await fields({ message_template: "{{nothing}}" })).toEqual(["body.message_template"]);
  expect(await fields({ condition: { operator: "gt" } })).toEqual(["body.condition.threshold"]);
});
