import type { components } from "../../web/src/lib/schema.d.ts";

/** Statements of a client of the API. The compiler checks them in `npm run check`: those with a typo are errors. */
type S = components["schemas"];

export const target: S["TargetCreate"] = { target_type: "tx_rate" };
export const targetWithConfig: S["TargetCreate"] = { target_type: "tx_rate", config: { direction: "to" } };
// @ts-expect-error
export const misspelledField: S["TargetCreate"] = { target_type: "tx_rate", config: { dirction: "to" } };
// @ts-expect-error
export const unknownValue: S["TargetCreate"] = { target_type: "tx_rate", config: { direction: "up" } };
export const channel: S["ChannelCreate"] = {
  type: "webhook",
  name: "Hook",
  config: { url: "https://example.com" },
};
export const misspelledChannelField: S["ChannelCreate"] = {
  type: "webhook",
  name: "Hook",
  // @ts-expect-error
  config: { uri: "https://example.com" },
};
export const severity: S["AlertRuleCreate"]["severity"] = "critical";
// @ts-expect-error
export const unknownSeverity: S["AlertRuleCreate"]["severity"] = "fatal";
export const errorCode: S["Failure"]["code"] = "out_of_scope";
// @ts-expect-error
export const misspelledErrorCode: S["Failure"]["code"] = "out_of_scop";
export const targetChange: S["TargetUpdate"] = { config: { direction: "to" } };
// @ts-expect-error
export const misspelledTargetChange: S["TargetUpdate"] = { config: { dirction: "to" } };
export const unknownValueInDocument: S["ConfigTarget"] = {
  target_type: "tx_rate",
  // @ts-expect-error
  config: { direction: "up" },
};
export const channelWithSecret: S["ConfigChannel"] = {
  type: "slack",
  name: "Ops",
  config: { webhook_url: { $secret: "HOOK" } },
};
export const readDirection = (t: S["Target"]) =>
  t.status !== "unsupported" && t.target_type === "tx_rate" ? t.config.direction : "to";
export const misread = (t: S["Target"]) =>
  // @ts-expect-error
  t.target_type === "native_balance" ? t.config.direction.length : 0;
export const readMetric = (m: S["StreamMessage"]) => (m.event === "metric" ? m.data.value + 1 : 0);
// @ts-expect-error
export const readHeartbeat = (m: S["StreamMessage"]) => (m.event === "heartbeat" ? m.data.value + 1 : 0);
export const readSamples = (e: S["AlertEvent"]) => e.explanation.samples?.map((sample) => sample.value);
export const readUrl = (c: S["Channel"]) => (c.type === "webhook" ? c.config.url.length : 0);
