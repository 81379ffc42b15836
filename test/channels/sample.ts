import type { Alert, Message } from "../../src/channels/channel.ts";

/** Returns an alert as the engine builds it, with the given changes. */
export function sampleAlert(change: Partial<Alert> = {}): Alert {
  return {
    event_id: "019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42",
    severity: "critical",
    rule: { id: "019a8c1e-7c4b-7d3a-9f21-000000000001", name: "Large withdrawals" },
    contract: {
      id: "019a8c1e-7c4b-7d3a-9f21-000000000002",
      label: "Treasury",
      address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      url: ownLinks.contract,
    },
    chain: { chain: "ethereum", name: "Ethereum", chain_id: 1 },
    title: "Large withdrawals: Treasury on Ethereum",
    message: "Three withdrawals left the treasury within 5 minutes.",
    value: 3,
    threshold: 3,
    clause: "3 events, at least 3",
    operator: "gte",
    unit: "events",
    window_seconds: 300,
    target_type: "event_frequency",
    decoded: {
      name: "Withdrawal",
      args: [
        { name: "to", value: "0x000000000000000000000000000000000000dEaD" },
        { name: "amount", value: "1,500 USDC" },
      ],
    },
    transaction: {
      hash: "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
      url: ownLinks.transaction,
    },
    block_number: 23_812_345,
    finality: "pending",
    fired_at: new Date("2026-11-15T03:00:00Z"),
    resolved_at: null,
    acknowledged_by: null,
    url: ownLinks.event,
    ...change,
  };
}

/** The links of the sample; no other may appear in a message. */
export const ownLinks = {
  event: "https://tocsin.example.com/alerts/events/019a8c1e-7c4b-7d3a-9f21-3b6c1f0e5a42",
  transaction:
    "https://etherscan.example/tx/0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060?a=1&b=2",
  contract: "https://etherscan.example/address/0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
};

export function sampleMessage(change: Partial<Message> = {}): Message {
  return {
    id: "019a8c1e-7c4b-7d3a-9f21-0000000000aa",
    kind: "fired",
    at: new Date("2026-11-15T03:00:05Z"),
    org: { id: "019a8c1e-7c4b-7d3a-9f21-0000000000bb", name: "Example DAO" },
    severity: "critical",
    alerts: [sampleAlert()],
    ...change,
  };
}

/** Returns the sample with the given words in every text that a contract or a user controls. */
export function alertFilledWith(words: string): Alert {
  const sample = sampleAlert();
  return sampleAlert({
    title: words,
    message: words,
    rule: { id: "r", name: words },
    contract: { id: "c", label: words, address: "0xA0", url: ownLinks.contract },
    chain: { chain: "local", name: words, chain_id: 31_337 },
    clause: null,
    unit: words,
    target_type: words,
    decoded: { name: words, args: Array.from({ length: 20 }, () => ({ name: words, value: words })) },
    acknowledged_by: words,
    resolved_at: sample.fired_at,
  });
}
