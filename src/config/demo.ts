import type { Config } from "../config.ts";

/** Enables the demo chain at a URL. */
export function withDemo(config: Config, url: string): Config {
  return { ...config, runsDemo: false, rpc: new Map([...config.rpc, ["demo", [url]]]) };
}
