import { styleText } from "node:util";

type Line = { level: number; time: string; msg?: string; err?: Failure } & Record<string, unknown>;
type Failure = { message: string; stack?: string; cause?: Failure };

/** The word and colour of each level, by its number. */
const levels = new Map<number, [word: string, colour: Parameters<typeof styleText>[0]]>([
  [10, ["TRACE", "dim"]],
  [20, ["DEBUG", "dim"]],
  [30, ["INFO", "green"]],
  [40, ["WARN", "yellow"]],
  [50, ["ERROR", "red"]],
  [60, ["FATAL", "red"]],
]);

/** Formats a JSON line of the log for a person: time, level, sentence, and what it is about. */
export function formatLine(json: string, hasColours: boolean): string {
  const { level, time, msg = "", err, ...fields } = JSON.parse(json) as Line;
  const [word, colour] = levels.get(level) ?? [String(level), "reset" as const];
  const paint = (style: typeof colour, text: string) =>
    hasColours ? styleText(style, text, { validateStream: false }) : text;
  const about = Object.entries(fields).map(([name, value]) => `${name}=${describe(value)}`);
  const reason = err ? `: ${describeFailure(err)}` : "";
  const start = `${paint("dim", time.slice(11, 19))} ${paint(colour, word.padEnd(5))} ${msg}${reason}`;
  return about.length > 0 ? `${start} ${paint("dim", about.join(" "))}` : start;
}

/** An unexpected failure of the service itself has the line of the source where it happened. */
function describeFailure({ message, stack, cause }: Failure): string {
  const place = stack?.split("\n").find((line) => line.trim().startsWith("at "));
  const because = cause ? ` (${cause.message})` : "";
  return `${message}${because}${place ? ` ${place.trim()}` : ""}`;
}

function describe(value: unknown): string {
  return typeof value === "string" && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}
