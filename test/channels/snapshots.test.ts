import { afterAll, expect, test } from "vitest";
import type { App } from "../../src/app.ts";
import type { InboxEntry } from "../../src/channels/channel.ts";
import { channelOf, channels } from "../../src/channels/index.ts";
import { buildMessage } from "../../src/delivery/build-message.ts";
import { meters } from "../../src/meters/index.ts";
import { defaultAggregation, unitOn } from "../../src/meters/meter.ts";
import { describe } from "../../src/pipeline/evaluate/describe-alert.ts";
import type { Evaluation } from "../../src/pipeline/evaluate/evaluation.ts";
import type { AlertRow } from "../../src/store/delivery/delivery-messages.ts";
import { type Example, examples } from "../meters/event-examples.ts";
import { occurred } from "../meters/example-reading.ts";
import { bob, subject, token } from "../meters/scripted-activity.ts";
import { startProvider } from "./provider.ts";

const provider = await startProvider();
const mails: { subject: string; text: string }[] = [];
afterAll(() => provider.close());

const entries: InboxEntry[] = [];

const configs: Record<string, object> = {
  inbox: {},
  email: { to: ["oncall@example.com"] },
  slack: { webhook_url: provider.url },
  discord: { webhook_url: provider.url },
  teams: { webhook_url: provider.url },
  telegram: { bot_token: "123456789:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", chat_id: "-100" },
  webhook: { url: provider.url, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" },
  pagerduty: { routing_key: "0".repeat(32) },
  opsgenie: { api_key: "00000000-0000-0000-0000-000000000000", region: "us" },
  sms: { to: "+15005550009" },
};

/** Other contracts of the org, which alerts name by their label. */
const names = new Map([
  [bob, "Cold wallet"],
  [token, "USDC"],
]);

/** The row of an event of a target type, with the texts that the engine writes. */
function rowOf(example: Example): AlertRow {
  const { meter, config, reading, previous } = occurred(example);
  const { value, tx_hash } = reading;
  const { window_seconds = 300, subject: on = subject } = example;
  const isEach = defaultAggregation(meter, { operator: "gte", threshold: 1 }) === "each";
  const cause = { ...reading, height: 23_812_345, time: 1_794_711_600 };
  const aggregation = example.aggregation ?? "count";
  const condition = { operator: "gte", threshold: value, threshold_high: 0, aggregation, window_seconds };
  const contract = { id: "contract", label: "Treasury", subject: on };
  const target = { id: "target", meter, config, contract };
  const evaluation = {
    rule: {
      name: "On-call",
      condition,
      target,
      isEach,
      others: [],
      severity: "critical",
      message_template: null,
    },
    windowResult: {
      holds: true,
      value,
      clause: `${isEach ? "value" : aggregation} is ${value}: at least ${value}`,
      window: [cause],
      before: previous,
      isNoData: false,
    },
    verdict: { reason: isEach ? "occurred" : "first_breach" },
    cause,
  } as unknown as Evaluation;
  const { title, message, explanation } = describe(evaluation, names);
  return {
    ...{
      delivery_id: "d",
      id: "event",
      org_id: "org",
      org_name: "Example DAO",
      status: "firing",
      is_occurrence: isEach,
    },
    ...{ severity: "critical", rule_id: "rule", rule_name: "On-call", is_restricted: false },
    ...{ contract_id: "contract", contract_label: "Treasury", contract_address: on.address },
    ...{ chain: on.chain.chain, chain_id: String(on.chain.chain_id), title, message, explanation },
    ...{
      value,
      threshold: value,
      operator: "gte",
      unit: unitOn(meter, config, on.chain),
      window_seconds,
      target_type: meter.type,
    },
    ...{ tx_hash, block_number: "23812345", finality: "pending", resolved_at: null },
    ...{ fired_at: new Date("2026-11-15T03:00:00Z"), acknowledged_name: null },
  } as unknown as AlertRow;
}

const formats =
  /\.type|\.(emoji|weight|size|color|inline|isSubtle|contentType|width|version)$|\$schema|^(mrkdwn|unfurl_\w+)$/;

/** How a text is shown is not recorded. */
function isFormat(name: string): boolean {
  return formats.test(name);
}

/** The lines of a request that a person or a program reads: its texts and numbers, each with its name. */
function linesOf(value: unknown, name = ""): string[] {
  if (value === null || value === undefined || isFormat(name)) return [];
  if (typeof value !== "object") return [`${name}: ${String(value)}`];
  return Object.entries(value).flatMap(([key, one]) => linesOf(one, name ? `${name}.${key}` : key));
}

const app = { config: { publicUrl: new URL("https://tocsin.example.com") } } as unknown as App;
const mailer = {
  kind: "smtp",
  send: async (mail: { subject: string; text: string }) => void mails.push(mail),
  close: async () => undefined,
};

const deps = () =>
  provider.deps({
    mailer: mailer as never,
    storeInInbox: async (entry) => void entries.push(entry),
  });

async function rendered(type: string, example: Example): Promise<string> {
  provider.received.length = 0;
  mails.length = 0;
  entries.length = 0;
  const about = { id: "delivery", kind: "fired" as const, created_at: new Date("2026-11-15T03:00:05Z") };
  const message = buildMessage(app, about, [rowOf(example)]);
  if (!message) throw new Error("There is no message.");
  await channelOf(type)?.send(message, configs[type] as never, deps());
  const [mail] = mails;
  const [entry] = entries;
  const [request] = provider.received;
  const body = request?.body.startsWith("{")
    ? JSON.parse(request.body)
    : Object.fromEntries(new URLSearchParams(request?.body));
  if (entry) return linesOf({ title: entry.title, message: entry.message }).join("\n");
  const lines = mail ? [`subject: ${mail.subject}`, mail.text] : linesOf(body);
  return lines.join("\n").replaceAll(provider.url, "https://provider.example");
}

const first = new Map(examples.toReversed().map(([example]) => [example.type, example]));

test.each(meters.map(({ type }) => [type]))(
  "an alert about %s reads as recorded on every channel",
  async (type) => {
    const example = first.get(type);
    if (!example) throw new Error(`There is no example of ${type}.`);
    const parts: string[] = [];
    for (const channel of Object.keys(configs))
      parts.push(`## ${channel}\n\n${await rendered(channel, example)}`);
    await expect(`${parts.join("\n\n")}\n`).toMatchFileSnapshot(`snapshots/${type}.txt`);
  },
);

test("there is a snapshot for every type of channel", () => {
  expect(Object.keys(configs).sort()).toEqual(channels.map(({ type }) => type).sort());
});
