import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { settingNames } from "../../src/config.ts";
import { harness } from "../support/harness.ts";

const read = (name: string) => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8");

type Rule = { alert: string; expr: string; annotations: { summary: string } };
const rules: Rule[] = parse(read("alerts.yaml")).groups.flatMap(({ rules }: { rules: Rule[] }) => rules);

type Service = { build?: string; environment: Record<string, string>; deploy?: { replicas: number } };

type Panel = { title: string; type: string; targets?: { expr: string }[] };
const panels: Panel[] = JSON.parse(read("grafana.json")).panels;

const queries = [
  ...rules.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`the panel ${title}`, expr] as const),
  ),
];

/** The metrics that a query names. */
function metricsIn(query: string): string[] {
  const names = query.match(/\b(?:tocsin|nodejs|process)_[a-z0-9_]+/g) ?? [];
  return names.map((name) => name.replace(/_(bucket|count|sum)$/, ""));
}

const h = await harness({ env: { METRICS_TOKEN: "a-token-for-prometheus" } });
const metrics = await h.anonymous().get("//metrics", {
  headers: { authorization: "Bearer a-token-for-prometheus" },
});
const known = new Set([...metrics.text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));

test.each(queries)("%s uses only metrics that the service exports", (_, query) => {
  const used = metricsIn(query);
  if (!query.startsWith("up")) expect(used).not.toEqual([]);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

test("every metric of our own is shown in the dashboard", () => {
  const shown = new Set(panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr))));
  const own = [...known].filter((name) => name?.startsWith("tocsin_"));
  expect(own.filter((name) => !shown.has(name as string))).toEqual([]);
});

test("every panel has a title and every alert a summary", () => {
  expect(panels.filter(({ title }) => !title)).toEqual([]);
  expect(rules.filter(({ annotations }) => !annotations?.summary)).toEqual([]);
});

test("the compose file runs two processes of each role, with settings that exist", () => {
  const text = readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8");
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> };
  const own = Object.values(services).filter(({ build }) => build);
  expect(own.flatMap(({ environment }) => environment.ROLES?.split(",")).sort()).toEqual([
    "api",
    "deliver",
    "ingest",
    "jobs",
  ]);
  expect(own.map(({ deploy }) => deploy?.replicas)).toEqual([2, 2, 2]);
  const used = own.flatMap(({ environment }) => Object.keys(environment));
  expect(used.filter((name) => !settingNames.includes(name))).toEqual([]);
});
