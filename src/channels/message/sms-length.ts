/** How many text messages one alert may be split into. */
const maxSegments = 3;

const basic =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/** These take the room of two. */
const extended = "^{}\\[~]|€";

/** The text and its ending within three text messages; only the text is shortened. */
export function fitSegments(text: string, ending: string): string {
  const simple = [...text].map((character) => plainer[character] ?? character).join("");
  const isBasic = [...simple, ...ending].every((sign) => basic.includes(sign) || extended.includes(sign));
  const cost = isBasic ? costInBasic : (character: string) => character.length;
  const room = maxSegments * (isBasic ? 153 : 67) - sum(ending, cost);
  return shorten(simple, room, cost) + ending;
}

// Typographic signs would make the whole message cost more than twice as much.
const plainer: Record<string, string> = {
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

function shorten(text: string, room: number, cost: (character: string) => number): string {
  if (sum(text, cost) <= room) return text;
  let used = 3;
  let kept = "";
  for (const character of text) {
    used += cost(character);
    if (used > room) break;
    kept += character;
  }
  return `${kept.trimEnd()}...`;
}
