import { createRequire } from "node:module";

/** Whether a lower-case password is a commonly used one, or little more than one with frills around it. */
export function isCommonPassword(lower: string): boolean {
  const joined = lower.replace(/[^\p{L}\p{N}]+/gu, "");
  return [lower, joined].some((text) =>
    coresOf(text).some((core) => core.length * 2 > text.length && isCommonWord(core)),
  );
}

/** Whether these lower-case letters, as they stand or with figures read as letters, are a commonly used password. */
export function isCommonWord(lower: string): boolean {
  dictionary ??= loadDictionary();
  if (dictionary.has(lower)) return true;
  return (
    hasLeet.test(lower) && (dictionary.has(readLeet(lower, "i")) || dictionary.has(readLeet(lower, "l")))
  );
}

let dictionary: Set<string> | undefined;

// Half a megabyte that only sign-up and a password change need.
function loadDictionary(): Set<string> {
  const common: typeof import("@zxcvbn-ts/language-common") = createRequire(import.meta.url)(
    "@zxcvbn-ts/language-common",
  );
  return new Set(common.dictionary["passwords-common"]);
}

/** The text as it is, and without the figures and signs before it, after it and around it. */
function coresOf(lower: string): string[] {
  const start = lower.replace(/^[^\p{L}]+/u, "");
  const end = lower.replace(/[^\p{L}]+$/u, "");
  const middle = start.replace(/[^\p{L}]+$/u, "");
  return [lower, start, end, middle];
}

const leet: Record<string, string> = {
  "@": "a",
  "4": "a",
  "8": "b",
  "3": "e",
  "6": "g",
  "9": "g",
  "0": "o",
  "5": "s",
  $: "s",
  "7": "t",
  "+": "t",
  "2": "z",
};

const hasLeet = /[@48369$057+21!|]/;

function readLeet(text: string, one: "i" | "l"): string {
  return text.replace(/[@48369$057+2]/g, (sign) => leet[sign] ?? sign).replace(/[1!|]/g, one);
}
