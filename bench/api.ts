import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";
import { parseConfig } from "../src/config.ts";
import { startService } from "../src/main.ts";
import { serveBare } from "./bare-server.ts";

const rounds = 5;
const roundSeconds = 2;
const connections = 20;

type Measured = { perSecond: number; p50: number; p99: number };

/** GET /orgs with a session, through the whole service and through a route that does nothing but its two queries. */
export async function benchApi(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tocsin-bench-"));
  const config = parseConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "warn", ROLES: "api" });
  const service = await startService(config);
  const bare = await serveBare(config);
  try {
    const cookie = await signUp(service.url);
    const urls = { service: `${service.url}/api/v1/orgs`, bare: `${bare.url}/orgs` };
    await refuseDifference(urls, cookie);
    await compare(urls, cookie);
  } finally {
    await bare.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

type Urls = { service: string; bare: string };

/** Turn about, so that whatever else the machine does meets both alike. */
async function compare(urls: Urls, cookie: string): Promise<void> {
  for (const url of Object.values(urls)) await measure(url, cookie, 1);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const service = await measure(urls.service, cookie, roundSeconds);
    const bare = await measure(urls.bare, cookie, roundSeconds);
    ratios.push(service.perSecond / bare.perSecond);
    console.log(`round ${round}: service ${show(service)}; bare ${show(bare)}`);
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  console.log(`The service answers ${(median * 100).toFixed(0)} % of what the bare route answers (median).`);
}

async function measure(url: string, cookie: string, duration: number): Promise<Measured> {
  // The client gets a thread of its own, or it would share the one that it measures.
  const result = await autocannon({ url, connections, duration, workers: 1, headers: { cookie } });
  const failed = result.errors + result.non2xx;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function show({ perSecond, p50, p99 }: Measured): string {
  return `${Math.round(perSecond)} requests/s, p50 ${p50} ms, p99 ${p99} ms`;
}

async function signUp(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "bench@example.com", password: "correct horse battery staple" }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}

/** A comparison is worth nothing unless both say the same. */
async function refuseDifference(urls: Urls, cookie: string): Promise<void> {
  const [service, bare] = await Promise.all(
    [urls.service, urls.bare].map(async (url) => (await fetch(url, { headers: { cookie } })).text()),
  );
  if (service !== bare) throw new Error(`the service says ${service}, the bare route ${bare}`);
}
