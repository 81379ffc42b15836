/** The maximum number of SMS segments of one alert. */
const maxSegments = 3;
/** The units of a segment of a message that has several. */
const perSegment = { gsm7: 153, ucs2: 67 };

/** The characters of the encoding GSM-7. */
const gsm7 =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Characters of GSM-7 that are sent as two: an escape and the character. */
const gsm7Extension = "^{}\\[~]|€";

/** Shortens the text so that it and the ending fit into three SMS segments; the ending is never cut. */
export function fitSegments(text: string, ending: string): string {
  const substituted = [...text].map((character) => substitutes[character] ?? character).join("");
  const all = [...substituted, ...ending];
  const isGsm7 = all.every((character) => gsm7.includes(character) || gsm7Extension.includes(character));
  const cost = isGsm7 ? costInGsm7 : (character: string) => character.length;
  // The two units of one character are not divided between segments, so that each segment may lose one.
  const lost = all.some((character) => cost(character) > 1) ? 1 : 0;
  const budget = maxSegments * (perSegment[isGsm7 ? "gsm7" : "ucs2"] - lost) - sum(ending, cost);
  return shorten(substituted, budget, cost) + ending;
}

// A typographic character would force UCS-2, which more than doubles the number of segments.
const substitutes: Record<string, string> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
  "…": "...",
  "·": "-",
};

function costInGsm7(character: string): number {
  return gsm7Extension.includes(character) ? 2 : 1;
}

function sum(text: string, cost: (character: string) => number): number {
  return [...text].reduce((total, character) => total + cost(character), 0);
}

const ellipsis = "...";

function shorten(text: string, budget: number, cost: (character: string) => number): string {
  if (sum(text, cost) <= budget) return text;
  let used = ellipsis.length;
  let kept = "";
  for (const character of text) {
    used += cost(character);
    if (used > budget) break;
    kept += character;
  }
  return kept.trimEnd() + ellipsis;
}
