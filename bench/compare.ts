import autocannon from "autocannon";
import { medianOf } from "../src/lib/anomaly/median.ts";

const rounds = 5;
const roundSeconds = 2;
const connections = 20;

export type Urls = { service: string; bare: string };
type Headers = Record<string, string>;
type Measured = { perSecond: number; p50: number; p99: number };

/**
 * Measures the service and a bare route in alternating rounds, so that other load affects both. Requests cycle
 * through the given headers.
 */
export async function compare(urls: Urls, headers: Headers[]): Promise<void> {
  await refuseDifference(urls, headers[0] ?? {});
  for (const url of Object.values(urls)) await measure(url, headers, 1);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const service = await measure(urls.service, headers, roundSeconds);
    const bare = await measure(urls.bare, headers, roundSeconds);
    ratios.push(service.perSecond / bare.perSecond);
    console.log(`round ${round}: service ${show(service)}; bare ${show(bare)}`);
  }
  console.log(
    `The service answers ${(medianOf(ratios) * 100).toFixed(0)} % of what the bare route answers (median).`,
  );
}

async function measure(url: string, headers: Headers[], duration: number): Promise<Measured> {
  const { pathname } = new URL(url);
  const requests = headers.map((header) => ({ method: "GET" as const, path: pathname, headers: header }));
  // The client runs in its own thread, not in the measured one.
  const result = await autocannon({ url, connections, duration, workers: 1, requests });
  const failed = result.errors + result.non2xx;
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} requests to ${url} failed`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

function show({ perSecond, p50, p99 }: Measured): string {
  return `${Math.round(perSecond)} requests/s, p50 ${p50} ms, p99 ${p99} ms`;
}

/** Throws unless both routes return the same reply. */
async function refuseDifference(urls: Urls, headers: Headers): Promise<void> {
  const [service, bare] = await Promise.all(
    [urls.service, urls.bare].map(async (url) => (await fetch(url, { headers })).text()),
  );
  if (service !== bare) throw new Error(`the service says ${service}, the bare route ${bare}`);
}

/** Signs up an account and returns its cookie. */
export async function signUp(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth/signup`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "bench@example.com", password: "correct horse battery staple" }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.headers.get("set-cookie")?.split(";")[0] ?? "";
}
