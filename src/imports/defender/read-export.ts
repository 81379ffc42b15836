import { workerTask } from "../../lib/concurrency/worker-pool.ts";
import { textProblem } from "../../lib/text.ts";
import { parseYaml } from "../parse-yaml.ts";
import { makeAbiConverter } from "./convert-abi.ts";
import { isDefenderApi, readDefenderApi } from "./defender-api.ts";
import { ExportTooLarge, type MonitoredAddress, maxAddresses, type ReadExport } from "./monitor.ts";
import { isOzMonitor, readOzMonitor } from "./oz-monitor.ts";
import { isServerless, readServerless } from "./serverless.ts";

/** The supported export formats. */
const formats = [
  { is: isServerless, read: readServerless },
  { is: isOzMonitor, read: readOzMonitor },
  { is: isDefenderApi, read: readDefenderApi },
];

const maxMonitors = 5_000;
/** A monitor has a rule for each address, filter and channel, so a small export could create millions. */
const maxRules = 20_000;
const maxDepth = 64;

type ExportProblem = { code: "invalid_export" | "unknown_format"; message: string };

/** Reads an export with its ABIs, or returns why it is invalid. Slow for a large export, so it runs in a worker thread. */
export function readExport(source: unknown): ReadExport | ExportProblem {
  const data = typeof source === "string" ? parse(source) : { value: source };
  const problem = "problem" in data ? data.problem : findProblem(data.value);
  if ("problem" in data || problem) return { code: "invalid_export", message: problem ?? "" };
  try {
    return readValue(data.value);
  } catch (error) {
    if (error instanceof ExportTooLarge) return { code: "invalid_export", message: error.message };
    throw error;
  }
}

export const readExportTask = workerTask("src/imports/defender/read-export.ts", readExport, 15_000);

function readValue(value: unknown): ReadExport | ExportProblem {
  const format = formats.find(({ is }) => is(value));
  if (!format) {
    const message =
      "Unknown export format. Supported formats: Defender or Sentinel monitor list, Defender serverless.yml, OpenZeppelin Monitor.";
    return { code: "unknown_format", message };
  }
  const read = format.read(value);
  const sum = (count: (monitor: ReadExport["monitors"][number]) => number) =>
    read.monitors.reduce((total, monitor) => total + count(monitor), 0);
  const problem =
    read.monitors.length + read.errors.length > maxMonitors
      ? `An export may contain at most ${maxMonitors} monitors.`
      : sum(({ contracts }) => contracts.length) > maxAddresses
        ? `An export may contain at most ${maxAddresses} addresses.`
        : sum(
              ({ contracts, filters, channels }) =>
                contracts.length * filters.length * (channels.length || 1),
            ) > maxRules
          ? `An export may result in at most ${maxRules} rules: one for each address, condition and channel.`
          : undefined;
  return problem ? { code: "invalid_export", message: problem } : withCheckedAbis(read);
}

/** Replaces the ABIs of the export by usable ones, or by warnings. Each distinct ABI is compiled once. */
function withCheckedAbis({ monitors, errors }: ReadExport): ReadExport {
  const convert = makeAbiConverter();
  const check = ({ address, abi }: MonitoredAddress): MonitoredAddress => {
    const { abi: usable, warnings } = convert(abi);
    return { address, abiWarnings: warnings, ...(usable !== undefined && { abi: usable }) };
  };
  const checked = monitors.map((monitor) => ({ ...monitor, contracts: monitor.contracts.map(check) }));
  return { monitors: checked, errors };
}

/** Detects excessive nesting, circular references and text that cannot be stored. Visits shared parts once. */
function findProblem(value: unknown): string | undefined {
  const ancestors = new Set<unknown>();
  const visited = new Set<unknown>();
  const stack: { value: unknown; isVisited: boolean }[] = [{ value, isVisited: false }];
  for (let node = stack.pop(); node; node = stack.pop()) {
    const problem = typeof node.value === "string" ? textProblem(node.value) : undefined;
    if (problem) return `A text in the export ${problem}.`;
    if (typeof node.value !== "object" || node.value === null || visited.has(node.value)) continue;
    if (node.isVisited) {
      ancestors.delete(node.value);
      visited.add(node.value);
      continue;
    }
    if (ancestors.has(node.value)) return "The export contains a circular reference.";
    if (ancestors.size >= maxDepth) return `The export is nested deeper than ${maxDepth} levels.`;
    ancestors.add(node.value);
    stack.push({ value: node.value, isVisited: true });
    for (const [name, item] of Object.entries(node.value))
      stack.push({ value: name, isVisited: false }, { value: item, isVisited: false });
  }
  return undefined;
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) };
  } catch {
    const read = parseYaml(text);
    return "problem" in read
      ? { problem: `The text is neither valid JSON nor valid YAML: ${read.problem}` }
      : read;
  }
}
