/** Formats an integer in the smallest unit of a token. Works on the digits, because amounts exceed what a number holds. */
export function formatUnits(raw: string, decimals: number, maxFraction = 4): { text: string; exact: string } {
  const sign = raw.startsWith("-") ? "-" : "";
  const digits = raw.replace("-", "").padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals) || "0";
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  const grouped = BigInt(whole).toLocaleString("en");
  const exact = `${sign}${grouped}${fraction && `.${fraction}`}`;
  const short = fraction.slice(0, maxFraction).replace(/0+$/, "");
  const isDust = whole === "0" && fraction !== "" && short === "";
  const text = isDust
    ? `${sign}<0.${"0".repeat(maxFraction - 1)}1`
    : `${sign}${grouped}${short && `.${short}`}`;
  return { text, exact };
}

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 4, maximumSignificantDigits: 6 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });

/** Formats a measured value: compact from a million on, otherwise with at most six significant digits. */
export function formatValue(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (Math.abs(value) >= 1_000_000) return compact.format(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return plain.format(value);
}

/** The unit as it follows a number; shares are shown as a percentage by `formatWithUnit`. */
export function formatWithUnit(value: number | null | undefined, unit: string | null | undefined): string {
  if (value === null || value === undefined) return "–";
  if (unit === "share" || unit === "share of 1") return `${formatValue(value * 100)} %`;
  if (unit === "seconds") return formatDuration(value);
  const text = formatValue(value);
  return unit ? `${text} ${value === 1 ? unit.replace(/s$/, "") : unit}` : text;
}

const spans: [number, string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
  [1, "s"],
];

/** Formats seconds with at most two units: "3 min", "2 h 5 min". */
export function formatDuration(seconds: number): string {
  let remaining = Math.max(0, Math.round(seconds));
  if (remaining === 0) return "0 s";
  const parts: string[] = [];
  for (const [size, name] of spans) {
    const count = Math.floor(remaining / size);
    if (count > 0) parts.push(`${count} ${name}`);
    remaining -= count * size;
    if (parts.length === 2 || (parts.length === 1 && remaining === 0)) break;
    if (parts.length === 1 && count === 0) break;
  }
  return parts.join(" ");
}

/** The time since a moment, in one unit: "12 s", "3 min", "5 h", "2 d". */
export function ago(then: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - then) / 1000));
  const [size, name] = spans.find(([length]) => seconds >= length) ?? [1, "s"];
  return `${Math.floor(seconds / size)} ${name}`;
}

/** Shortens an address in the middle, with enough characters that a lookalike is noticed. */
export function shortAddress(value: string): string {
  if (value.length <= 16) return value;
  return value.startsWith("0x")
    ? `${value.slice(0, 8)}…${value.slice(-6)}`
    : `${value.slice(0, 6)}…${value.slice(-6)}`;
}
