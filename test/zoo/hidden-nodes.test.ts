import { expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { recordFailure } from "../../src/pipeline/follow/run-chain.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { ChainInfo } from "../../src/wire/contracts/chains.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import { contracts } from "../simchain/contents.ts";
import { fastClock } from "../simchain/fast-clock.ts";
import { makeNode } from "../simchain/node.ts";
import { Tree } from "../simchain/tree.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { type Manners, rpcError, serveProvider } from "./proxy.ts";

const local = chainOf("local") as Chain;
const tree = new Tree(7, { transactions: 1 });
tree.grow(8);
const node = await makeNode(tree);
const provider = await serveProvider(node.url);
const url = `${provider.url}secret-path`;
const { port } = new URL(url);
const h = await harness({ env: { RPC_LOCAL: url, RPC_ETHEREUM: "" } });
const owner = await h.person();
const selected_targets = [{ target_type: "native_balance" }, { target_type: "tx_rate" }];
const created = await owner.client.post("/contracts", {
  chain: "local",
  address: contracts[0],
  selected_targets,
});
const { id } = created.body as Contract;

const rawText = `Rawfailure of upstream ${url}: key k3y-of-operator over limit`;
const secrets = [`:${port}`, "secret-path", "Rawfailure", "k3y-of-operator"];
const isStateRead = (method: string) =>
  /^eth_(call|getBalance|getStorageAt|getCode|getTransactionCount)$/.test(method);

/** The ways in which a provider puts its own text into a failure. */
const failures: [string, Manners][] = [
  ["a JSON-RPC error", { call: () => rpcError(-32000, rawText) }],
  ["an HTTP error", { request: () => ({ status: 500, body: rawText }) }],
  ["a refusal", { request: () => ({ status: 403, body: `<html>${rawText}</html>` }) }],
  ["a rate limit", { request: () => ({ status: 429, body: rawText, headers: { "retry-after": "1" } }) }],
  ["a redirection", { request: () => ({ status: 302, body: "", headers: { location: url } }) }],
  ["text that is no JSON", { request: () => ({ status: 200, body: rawText }) }],
  [
    "an error of state reads only",
    {
      call: ({ method, params }, forward) =>
        isStateRead(method) ? rpcError(-32000, rawText) : forward({ method, params }),
    },
  ],
];

/** All that an organisation sees of a chain and its targets. */
async function visibleTexts(): Promise<string> {
  const paths = [
    "/chains",
    "/contracts",
    `/contracts/${id}`,
    `/contracts/${id}/targets`,
    "/alerts/history",
    "/inbox",
  ];
  const replies = await Promise.all(paths.map((path) => owner.client.get(path)));
  expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const { text } = await h.anonymous().get("/status");
  return [text, ...replies.map((reply) => reply.text)].join("\n");
}

/** One of each kind, or all in the long run. */
const everyNth = runSize("HIDDEN_EVERY", { short: 6, long: 1 });

test.each(failures.filter((_, index) => index % everyNth === 0))(
  "nothing that an organisation sees names a node or quotes it: %s",
  async (_, manners) => {
    const reader = makeEvmReader({ chain: local, urls: [url], clock: fastClock(500), timeoutMs: 2_000 });
    const follower = new Follower(h.app, local, reader);
    const step = () => follower.step().catch((error: unknown) => recordFailure(h.app, local, error));
    provider.setManners({});
    await step();
    provider.setManners(manners);
    tree.grow(2);
    for (let steps = 0; steps < 2; steps++) await step();
    h.clock.advance(3_600);
    await h.runJobs();
    const seen = await visibleTexts();
    expect(seen).not.toContain("127.0.0.1");
    expect(
      secrets.filter((secret) => seen.includes(secret)),
      seen,
    ).toEqual([]);
    // The failure is visible, as a sentence of our own.
    const [chain] = (await owner.client.get("/chains")).body as ChainInfo[];
    const events = (await owner.client.get("/alerts/history")).body as AlertEvent[];
    const { text: targets } = await owner.client.get(`/contracts/${id}/targets`);
    expect([chain?.status_reason, events[0]?.message, targets].join(" ")).toMatch(
      /\bnode\b|could not be read/i,
    );
    expect(h.mails.filter(({ text }) => secrets.some((secret) => text.includes(secret)))).toEqual([]);
    await follower.stop();
    await reader.close();
  },
);
