import { proxyKindNames } from "../meters/control/proxy-reads.ts";
import type { Hop } from "./proxies/resolve-proxy.ts";

/** The config of a target that watches a proxy; undefined for kinds that cannot change. */
export function proxyTargetConfig({ kind, beacon }: Pick<Hop, "kind" | "beacon">) {
  const kindName = proxyKindNames.find((name) => name === (namesOfTarget.get(kind) ?? kind));
  return kindName && { kind: kindName, ...(beacon && { beacon }) };
}

/** The kinds that inspections and targets name differently; both names are part of the API. */
const namesOfTarget = new Map([["openzeppelin_legacy", "legacy"]]);
