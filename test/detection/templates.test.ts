import { afterAll, expect, test } from "vitest";
import type { Chain } from "../../src/chains/chain.ts";
import { makeEvmReader } from "../../src/chains/evm/reader.ts";
import { chainOf } from "../../src/chains/index.ts";
import { Follower } from "../../src/pipeline/follow/follower.ts";
import { templates } from "../../src/templates/index.ts";
import { categories } from "../../src/templates/template.ts";
import type { AlertEvent } from "../../src/wire/alerts/alert-events.ts";
import type { TemplatesApplied } from "../../src/wire/alerts/alert-templates.ts";
import type { Contract } from "../../src/wire/contracts/contracts.ts";
import type { Inspection } from "../../src/wire/inspection/inspection.ts";
import { catchUp } from "../support/catch-up.ts";
import { harness } from "../support/harness.ts";
import { runSize } from "../support/run-size.ts";
import { hashSources, storedArtifacts } from "./artifacts.ts";
import { openDetectionChain } from "./chain.ts";
import { incidents } from "./incidents/index.ts";
import { post } from "./protection.ts";
import { mineOrdinary, playAttacks, stageAll } from "./replay.ts";
import { verifiersRemoved } from "./verifiers-removed.ts";

test("the compiled contracts of the incidents are current", () => {
  expect(storedArtifacts().sources).toBe(hashSources());
});

/** Hours of traffic before the attacks. Templates that compare with the past need them. */
const historyHours = runSize("DETECTION_HISTORY_HOURS", { short: 0, long: 26 });
const comparing = ["lending_large_borrow", "dex_volume_anomaly", "dex_volume_anomaly_v3"];

/** The incidents that together fire every template. */
const needed =
  /Euler|SafeMoon|UwU|Sonne|deUSD collateral|Moonwell|Venus|peg|Tornado|in favour|UXLINK|Orbit|PlayDapp|Gala|Inferno|Keeper|Curve/;

test(`every template ${historyHours > 0 ? "" : "that needs no past "}fires when its attack is played on a contract of its kind`, async () => {
  const start = new Date(Date.now() - (historyHours + 14) * 3_600_000);
  const chain = await openDetectionChain(start);
  afterAll(chain.stop);
  const h = await harness({ env: { RPC_LOCAL: chain.url } });
  const moveClock = () => h.clock.advance(chain.now() - h.clock.now().getTime() / 1000);
  const { client, org_id } = await h.person();
  await h.setTier(org_id, "enterprise");
  const local = {
    ...(chainOf("local") as Chain),
    multicall3: (await chain.deploy("Multicall")).address,
  } as Chain;
  const reader = makeEvmReader({ chain: local, urls: [chain.url], clock: h.clock, log: h.app.log });
  afterAll(() => reader.close());
  const follower = new Follower(h.app, local, reader);
  const follow = async () => {
    moveClock();
    await catchUp(follower);
  };

  const chosen = incidents.filter(({ name }) => needed.test(name));
  const staged = await stageAll(chain, [...chosen, verifiersRemoved]);
  const isKeeper = ({ incident }: (typeof staged)[number]) => incident.name.startsWith("Keeper");
  await follow();
  const channel = { type: "webhook", name: "On-call", config: { url: "https://example.com/hook" } };
  const { id: channel_id } = await post<{ id: string }>(client, "/channels", channel);
  const templateOf = new Map<string, string>();
  for (const { scene } of staged)
    for (const address of Object.values(scene.watched)) {
      const { suggested_targets } = await post<Inspection>(client, "/contracts/inspect", {
        chain: "local",
        address,
      });
      const selected_targets = [...suggested_targets, ...(scene.targets ?? [])].map(
        ({ target_type, config }) => ({ target_type, config }),
      );
      const { id } = await post<Contract>(client, "/contracts", {
        chain: "local",
        address,
        selected_targets,
      });
      for (const category of categories) {
        const path = `/contracts/${id}/alert-templates/apply`;
        const { rules } = await post<TemplatesApplied>(client, path, { category, channel_id });
        for (const { rule_id, template_id } of rules) templateOf.set(rule_id, template_id);
      }
    }
  // The rhythm of a keeper is learned from its transactions.
  for (let sent = 0; sent < 12; sent++) {
    await mineOrdinary(chain, historyHours > 0 ? staged : staged.filter(isKeeper), 960);
    await follow();
  }
  for (let minute = 0; minute < historyHours * 60; minute++) {
    await mineOrdinary(chain, staged, 60);
    await follow();
  }
  await playAttacks(chain, staged, { traffic: historyHours > 0, afterBlock: follow });
  await chain.mine(chain.now() + 22_000);
  await follow();

  const fired = new Set<string>();
  for (let offset = 0; ; offset += 200) {
    const query = { limit: "200", offset: String(offset) };
    const page = (await client.get("/alerts/history", { query })).body as AlertEvent[];
    for (const { rule_id } of page) fired.add(templateOf.get(rule_id ?? "") ?? "");
    if (page.length < 200) break;
  }
  const expected = templates.map(({ id }) => id).filter((id) => historyHours > 0 || !comparing.includes(id));
  expect(expected.filter((id) => !fired.has(id))).toEqual([]);
});
