import { parseDocument } from "yaml";
import { isDefenderApi, readDefenderApi } from "./defender-api.ts";
import type { ReadExport } from "./monitor.ts";
import { isOzMonitor, readOzMonitor } from "./oz-monitor.ts";
import { isServerless, readServerless } from "./serverless.ts";

/** The shapes that dumps come in; one more is one more line. */
const formats = [
  { is: isServerless, read: readServerless },
  { is: isOzMonitor, read: readOzMonitor },
  { is: isDefenderApi, read: readDefenderApi },
];

const mostMonitors = 5_000;

/** What an export holds, or why it cannot be read. */
export function readExport(
  source: unknown,
): ReadExport | { code: "invalid_export" | "unknown_format"; message: string } {
  const data = typeof source === "string" ? parse(source) : { value: source };
  if ("problem" in data) return { code: "invalid_export", message: data.problem };
  const format = formats.find(({ is }) => is(data.value));
  if (!format) {
    const message =
      "This is none of the shapes that are known: Defender's list, Sentinel's, serverless.yml, OpenZeppelin Monitor.";
    return { code: "unknown_format", message };
  }
  const read = format.read(data.value);
  if (read.monitors.length <= mostMonitors) return read;
  return { code: "invalid_export", message: `An export may hold at most ${mostMonitors} monitors.` };
}

/** JSON first, then YAML: no tags of anybody's own, and aliases bounded, so that a small text stays small. */
function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return parseYaml(text);
  }
}

function parseYaml(text: string): { value: unknown } | { problem: string } {
  try {
    const document = parseDocument(text, { schema: "core", merge: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error)
      return { problem: `The text is neither JSON nor YAML: ${error.message.split("\n")[0]?.slice(0, 200)}` };
    return { value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return {
      problem: `The text cannot be read: ${error instanceof Error ? error.message.slice(0, 200) : "unknown"}`,
    };
  }
}
