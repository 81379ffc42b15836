import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toBase58 } from "../src/chains/solana/accounts/address.ts";
import { parseConfig } from "../src/config.ts";
import { systemRandom } from "../src/lib/random.ts";
import { startService } from "../src/main.ts";

const secret = "bench-secret-0123456789";
/** The provider's timeout. */
const maxMs = 100;
const warmUps = 20;

/** Webhooks with one and with a hundred transactions to a running service, from request to reply. */
export async function benchHelius(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const service = await startService(
    parseConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "warn", HELIUS_WEBHOOK_SECRET: secret }),
  );
  try {
    for (const [size, times] of [
      [1, 1_000],
      [100, 200],
    ] as const) {
      await post(service.url, size, warmUps);
      const spent = (await post(service.url, size, times)).sort((a, b) => a - b);
      const [p50, p99] = [0.5, 0.99].map((part) => spent[Math.floor(spent.length * part)] ?? Number.NaN);
      const verdict = (p99 ?? Number.NaN) <= maxMs ? "in time" : "TOO SLOW";
      console.log(
        `${times} deliveries of ${size}: p50 ${p50?.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms: ${verdict}`,
      );
    }
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Posts webhooks with new transactions one after another and returns their durations in milliseconds. */
async function post(url: string, size: number, times: number): Promise<number[]> {
  const spent: number[] = [];
  const headers = { "content-type": "application/json", authorization: secret };
  for (let time = 0; time < times; time++) {
    const body = JSON.stringify(Array.from({ length: size }, enhancedTransaction));
    const started = performance.now();
    const answer = await fetch(`${url}/api/v1/webhooks/helius`, { method: "POST", headers, body });
    await answer.text();
    spent.push(performance.now() - started);
    if (!answer.ok) throw new Error(`a delivery was answered with ${answer.status}`);
  }
  return spent;
}

/** An enhanced transaction of the size of a typical swap. */
function enhancedTransaction() {
  const key = () => toBase58(systemRandom.bytes(32));
  const account = () => ({ account: key(), nativeBalanceChange: -5000, tokenBalanceChanges: [] });
  const instruction = () => ({
    accounts: Array.from({ length: 8 }, key),
    data: toBase58(systemRandom.bytes(24)),
    programId: key(),
    innerInstructions: [],
  });
  return {
    description: "",
    type: "SWAP",
    source: "JUPITER",
    fee: 5000,
    feePayer: key(),
    signature: toBase58(systemRandom.bytes(64)),
    slot: 300_000_000,
    timestamp: 1_763_000_000,
    tokenTransfers: [],
    nativeTransfers: [{ fromUserAccount: key(), toUserAccount: key(), amount: 1_000_000 }],
    accountData: Array.from({ length: 12 }, account),
    transactionError: null,
    instructions: Array.from({ length: 4 }, instruction),
    events: {},
  };
}
