import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { root } from "./guards/sources.ts";
import { findWrongWebImports } from "./guards/web-direction.ts";

describe("the dashboard", () => {
  const paths = globSync("web/src/**/*.{ts,tsx}", { cwd: root }).filter((path) => !path.endsWith(".d.ts"));
  const sources = paths.map((path) => ({ path, text: readFileSync(`${root}/${path}`, "utf8") }));

  it("imports only in one direction, and no feature from another", () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(findWrongWebImports(sources)).toEqual([]);
  });

  it("fetches data only through queries and mutations, never in an effect", () => {
    const withFetch = sources.filter(({ text }) => /(?<!\w)fetch\(/.test(text)).map(({ path }) => path);
    expect(withFetch).toEqual([]);
  });
});

describe("the check of imports", () => {
  const file = (path: string, specifier: string) => ({
    path: `web/src/${path}`,
    text: `import "${specifier}";`,
  });

  it.each([
    ["routes/alerts.tsx", "@/features/alerts/columns.tsx"],
    ["features/alerts/columns.tsx", "@/queries/alerts.ts"],
    ["features/alerts/columns.tsx", "@/features/alerts/status.tsx"],
    ["ui/time.tsx", "react"],
  ])("accepts that %s imports %s", (path, specifier) => {
    expect(findWrongWebImports([file(path, specifier)])).toEqual([]);
  });

  it.each([
    ["ui/time.tsx", "@/features/alerts/status.tsx"],
    ["features/alerts/columns.tsx", "@/features/rules/columns.tsx"],
    ["features/alerts/columns.tsx", "@/routes/alerts.tsx"],
    ["lib/api.ts", "@/ui/toast.tsx"],
    ["lib/api.ts", "../ui/toast.tsx"],
  ])("reports that %s imports %s", (path, specifier) => {
    expect(findWrongWebImports([file(path, specifier)])).toHaveLength(1);
  });
});
