import type { Hex } from "viem";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { Rule } from "../../src/wire/alerts/rules.ts";
import type { Channel } from "../../src/wire/channels/channels.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Target } from "../../src/wire/contracts/targets.ts";
import { startNode } from "../chain/node.ts";
import { type Account, signUp, startReceiver, startService } from "./service.ts";

export const password = "correct horse battery staple";

export type World = Awaited<ReturnType<typeof makeWorld>>;

/** The real service on a development chain, with a contract, a channel, a silence and a rule that has fired. */
export async function makeWorld({ demoBlocks }: { demoBlocks?: number | undefined } = {}) {
  const [node, receiver] = await Promise.all([startNode(), startReceiver()]);
  const env = { RPC_LOCAL: node.url, OUTBOUND_ALLOW: "127.0.0.1/32", ...(demoBlocks && { DEMO: "1" }) };
  const url = await startService(env, { demoBlocks });
  const ada = await signUp(url, "ada@example.com", password);
  const token = await node.deploy("Token", 1_000_000n);
  const channel = await ada.send<Channel>("POST", "/channels", {
    type: "webhook",
    name: "On-call",
    config: { url: receiver.url },
  });
  const contract = await ada.send<Contract>("POST", "/contracts", {
    chain: "local",
    address: token.address,
    label: "Token vault",
    abi: token.abi,
    selected_targets: [
      { target_type: "tx_rate" },
      { target_type: "large_transfer", config: { decimals: 6 } },
      { target_type: "native_balance" },
    ],
  });
  const inbox = await ada.send<Channel>("POST", "/channels", { type: "inbox", name: "Team", config: {} });
  await ada.send("POST", `/channels/${inbox.id}/test`);
  await ada.send("POST", `/contracts/${contract.id}/labels`, { value: "treasury" });
  const targets = await ada.send<Target[]>("GET", `/contracts/${contract.id}/targets`);
  const target_id = targets.find(({ target_type }) => target_type === "tx_rate")?.id;
  const rule = await ada.send<Rule>("POST", "/alerts", {
    target_id,
    name: "Busy token",
    severity: "critical",
    channel_id: channel.id,
    condition: { operator: "gte", threshold: 2, window_seconds: 300 },
  });
  const silence = {
    severity: "info",
    reason: "Planned upgrade of the vault",
    ends_at: "2999-01-01T00:00:00Z",
  };
  await ada.send("POST", "/silences", silence);
  const transfer = () => token.send("transfer", [node.accounts[1] as Hex, 5n]);
  const event = await firstEvent(ada, transfer);
  return { node, receiver, url, ada, token, channel, contract, rule, event, transfer };
}

/** Sends transactions until the rule fires: blocks before the rule was loaded do not count. */
async function firstEvent(ada: Account, send: () => Promise<unknown>): Promise<AlertEvent> {
  for (;;) {
    await send();
    const [event] = await ada.send<AlertEvent[]>("GET", "/alerts/history");
    if (event) return event;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
