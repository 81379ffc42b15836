import { expect, test } from "vitest";
import { proxyKinds } from "./proxies/index.ts";
import { proxyTargetConfig } from "./proxy-target.ts";

/** Minimal clones cannot change. */
const withoutTarget = ["eip1167"];

test("every kind of proxy that an inspection recognises and that can change is watched by a target", () => {
  const unwatched = proxyKinds
    .map(({ kind }) => kind)
    .filter((kind) => !proxyTargetConfig({ kind, beacon: null }));
  expect(unwatched.toSorted()).toEqual(withoutTarget);
});

test("a proxy of OpenZeppelin from before EIP-1967, such as that of USDC, is watched by its slots", () => {
  expect(proxyTargetConfig({ kind: "openzeppelin_legacy", beacon: null })).toEqual({ kind: "legacy" });
});
