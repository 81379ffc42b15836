import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { calendarOperations } from "../../test/detection/calendar-operations.ts";
import { type DetectionChain, openDetectionChain } from "../../test/detection/chain.ts";
import { incidents } from "../../test/detection/incidents/index.ts";
import { ordinaryOperations } from "../../test/detection/ordinary-operations.ts";
import { type Protection, protect } from "../../test/detection/protection.ts";
import {
  type DueSignal,
  mineOrdinary,
  playAttacks,
  type Staged,
  stageAll,
} from "../../test/detection/replay.ts";
import { restlessOperations } from "../../test/detection/restless-operations.ts";
import { type Outcome, printOutcome, readOutcome } from "./report.ts";
import { type DetectionService, withDetectionService } from "./service.ts";

const hour = 3600;
const historyHours = Number(process.env.BENCH_HISTORY_HOURS ?? 12);
const days = Number(process.env.BENCH_DAYS ?? 1);
/** Blocks of ordinary traffic are further apart than those of attacks, so that days pass in minutes. */
const ordinarySeconds = 240;

/** A Monday. The time of the run would change the rhythm of days and weeks, and with it what a seed repeats. */
const start = new Date(process.env.BENCH_START ?? "2026-03-02T00:00:00Z");
const trafficSeed = Number(process.env.BENCH_TRAFFIC_SEED ?? 1);
const tiers = ["pro", "enterprise"] as const;
const sourceKinds = ["verified", "unverified"] as const;
const variants = tiers.flatMap((tier) =>
  sourceKinds.map((kind) => ({ tier, kind, name: `${tier}, ${kind}` })),
);
const chosenVariants = variants.filter(({ name }) => name.includes(process.env.BENCH_VARIANT ?? ""));

/**
 * Detection quality: every incident is set up on one chain and has ordinary traffic for days, then all are attacked. Users of
 * two tiers, with and without published sources, accepted what the service suggests and nothing else.
 */
export async function benchDetectionQuality(): Promise<void> {
  const chain = await openDetectionChain(start);
  const sources = await serveSources(chain);
  try {
    await prepare(chain, sources.url);
  } finally {
    sources.stop();
    chain.stop();
  }
}

async function prepare(chain: DetectionChain, sourcesUrl: string): Promise<void> {
  const multicall = await chain.deploy("Multicall");
  const chosen = incidents.filter(({ name }) =>
    new RegExp(process.env.BENCH_INCIDENTS ?? "", "i").test(name),
  );
  console.log(`Traffic of seed ${trafficSeed}, which BENCH_TRAFFIC_SEED sets.`);
  const staged = await stageAll(chain, [...chosen, ...worlds], trafficSeed);
  const historyBlocks = (historyHours * hour) / ordinarySeconds;
  for (let block = 0; block < historyBlocks; block++) await mineOrdinary(chain, staged, ordinarySeconds);
  const kinds = sourceKinds.filter((kind) =>
    chosenVariants.some((chosenVariant) => chosenVariant.kind === kind),
  );
  const withServices = async (opened: Services): Promise<void> => {
    const kind = kinds.find((one) => !opened.has(one));
    if (!kind) return measure(chain, staged, opened);
    const given = { chain, multicall: multicall.address, sourcesUrl: `${sourcesUrl}/${kind}` };
    await withDetectionService(given, (service) => withServices(new Map([...opened, [kind, service]])));
  };
  await withServices(new Map());
}

/** Ordinary traffic without an attack. */
const worlds = [ordinaryOperations, restlessOperations, calendarOperations];

type Services = ReadonlyMap<(typeof sourceKinds)[number], DetectionService>;

async function measure(chain: DetectionChain, staged: Staged[], services: Services): Promise<void> {
  const follow = async () => {
    for (const service of services.values()) await service.catchUp();
  };
  await follow();
  const users: { variant: string; staged: Staged; protection: Protection }[] = [];
  for (const { name, tier, kind } of chosenVariants)
    for (const one of staged) {
      const client = await services.get(kind)?.client(tier);
      if (client) users.push({ variant: name, staged: one, protection: await protect(client, one.scene) });
    }
  if (process.env.BENCH_VERBOSE) printApplied(users);
  const started = { height: chain.height(), time: chain.now() };
  const blocks = (days * 24 * hour) / ordinarySeconds;
  const began = performance.now();
  for (let block = 0; block < blocks; block++) {
    await mineOrdinary(chain, staged, ordinarySeconds);
    await follow();
    if ((block + 1) % Math.ceil(blocks / 4) === 0)
      console.log(
        `${block + 1} of ${blocks} blocks of ordinary traffic after ${Math.round((performance.now() - began) / 1000)} s`,
      );
  }
  const seconds = chain.now() - started.time;
  const due: DueSignal[] = await playAttacks(chain, staged, { afterBlock: follow });
  const outcomes: Outcome[] = [];
  for (const user of users) outcomes.push(await readOutcome(user, due, seconds));
  printOutcome(outcomes);
}

/** What was suggested and applied, for the search of causes. */
function printApplied(users: readonly { variant: string; protection: Protection }[]): void {
  for (const { variant, protection } of users)
    for (const [name, { inspection, result }] of Object.entries(protection.applied)) {
      console.log(`${variant}: ${name} is ${inspection.contract_type}`);
      for (const { target_type, config } of inspection.suggested_targets)
        console.log(`  target ${target_type} ${JSON.stringify(config)}`);
      for (const { template_id, mode, threshold_source } of result.rules)
        console.log(`  rule ${template_id} ${mode} ${threshold_source ?? ""}`);
      for (const { template_id, reason } of result.skipped)
        console.log(`  skipped ${template_id}: ${reason}`);
    }
}

/** A registry of sources that knows every contract under one path and none under another. */
async function serveSources({ published }: DetectionChain): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const address = /0x[0-9a-fA-F]{40}/.exec(request.url ?? "")?.[0].toLowerCase() ?? "";
    const found = request.url?.startsWith("/verified") ? published.get(address) : undefined;
    response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
    const match = { match: "exact_match", creationMatch: null, runtimeMatch: "exact_match" };
    const none = { match: null, creationMatch: null, runtimeMatch: null };
    response.end(
      JSON.stringify({
        ...(found ? match : none),
        chainId: "31337",
        address,
        ...(found ? { abi: found.abi, compilation: { name: found.name } } : { verifiedAt: null }),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}
