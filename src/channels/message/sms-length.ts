/** The maximum number of SMS segments of one alert. */
const maxSegments = 3;

const basic =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** Characters that count as two. */
const extended = "^{}\\[~]|€";

/** Shortens the text so that it and the ending fit into three SMS segments; the ending is never cut. */
export function fitSegments(text: string, ending: string): string {
  const substituted = [...text].map((character) => substitutes[character] ?? character).join("");
  const isBasic = [...substituted, ...ending].every(
    (character) => basic.includes(character) || extended.includes(character),
  );
  const cost = isBasic ? costInBasic : (character: string) => character.length;
  const budget = maxSegments * (isBasic ? 153 : 67) - sum(ending, cost);
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

function costInBasic(character: string): number {
  return extended.includes(character) ? 2 : 1;
}

function sum(text: string, cost: (character: string) => number): number {
  return [...text].reduce((total, character) => total + cost(character), 0);
}

function shorten(text: string, budget: number, cost: (character: string) => number): string {
  if (sum(text, cost) <= budget) return text;
  let used = 3;
  let kept = "";
  for (const character of text) {
    used += cost(character);
    if (used > budget) break;
    kept += character;
  }
  return `${kept.trimEnd()}...`;
}
