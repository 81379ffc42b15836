import { createRequire } from "node:module";

/** True when a lower-case password is a common one, also with digits and signs around it. */
export function isCommonPassword(lower: string): boolean {
  const joined = lower.replace(/[^\p{L}\p{N}]+/gu, "");
  return [lower, joined].some((text) =>
    trimmedVariants(text).some((core) => core.length * 2 > text.length && isCommonWord(core)),
  );
}

/** True when the text is a common password, also in leetspeak. */
export function isCommonWord(lower: string): boolean {
  dictionary ??= loadDictionary();
  if (dictionary.has(lower)) return true;
  return (
    hasLeet.test(lower) && (dictionary.has(readLeet(lower, "i")) || dictionary.has(readLeet(lower, "l")))
  );
}

let dictionary: Set<string> | undefined;

// Loaded on use: half a megabyte that only sign-up and password changes need.
function loadDictionary(): Set<string> {
  const common: typeof import("@zxcvbn-ts/language-common") = createRequire(import.meta.url)(
    "@zxcvbn-ts/language-common",
  );
  return new Set(common.dictionary["passwords-common"]);
}

/** The text, and the text without leading, trailing and surrounding digits and signs. */
function trimmedVariants(lower: string): string[] {
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
