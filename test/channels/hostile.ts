import fc from "fast-check";
import type { Message } from "../../src/channels/channel.ts";
import { alertFilledWith, ownLinks, sampleMessage } from "./sample.ts";

const injections = [
  "<!channel>",
  "<!here|x>",
  "<@U123>",
  "<https://evil.example|Open the event>",
  "[Open the event](https://evil.example)",
  "[a][b]",
  "[b]: https://evil.example",
  "https://evil.example/claim",
  "http://127.0.0.1/x",
  "evil.example",
  "evil.com",
  "www.evil.com/path?x=1",
  "evil。example",
  "evil．example",
  "evil｡example",
  "evil\u2024example",
  "evil\ufe52example",
  "eve＠evil．example",
  "tel:+19005550100",
  "SMS:+19005550100",
  "@everyone",
  "@here",
  "@some_bot",
  "eve@evil.example",
  "mailto:eve@evil.example",
  "/start",
  "#tag",
  "$ETH",
  '<a href="https://evil.example">x</a>',
  "</b><b>",
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<at>Ann</at>",
  "&lt;b&gt;&amp;",
  "&#60;b&#62;",
  "**bold** __x__ ~~y~~ `z` ||s||",
  "\\[x\\](https://evil.example)",
  "\\",
  "# big\n- list\n> quote",
  "a\r\nBcc: eve@evil.example",
  "a\n\nanother body",
  "\u202egnp.exe",
  "\u200bhid\u2060den\ufeff",
  "\u0000\u0007\u001b[31m",
  "\u2028\u2029\u0085",
  "\ud800",
  "👩‍👩‍👧 𝕏",
  "\"'`",
];

/** Text that an attacker may put into a name or an argument: injections and noise, also very long. */
export const hostileText = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...injections) }, fc.string({ unit: "binary" })), {
    minLength: 1,
    maxLength: 6,
  })
  .chain((parts) =>
    fc
      .record({ glue: fc.constantFrom("", " ", "\n"), times: fc.constantFrom(1, 1, 1, 20, 200) })
      .map(({ glue, times }) => `${parts.join(glue)}${glue}`.repeat(times)),
  );

/** A message of any kind whose texts are all hostile. */
export const hostileMessage: fc.Arbitrary<Message> = fc
  .record({
    words: hostileText,
    org: hostileText,
    kind: fc.constantFrom("fired", "renotified", "acknowledged", "resolved", "retracted", "test"),
    severity: fc.constantFrom("info", "warning", "critical"),
    count: fc.constantFrom(1, 1, 2, 12, 120),
  })
  .map(({ words, org, kind, severity, count }) => {
    const alerts = Array.from({ length: count }, () => ({ ...alertFilledWith(words), severity }));
    return sampleMessage({
      kind,
      severity,
      org: { id: "o", name: org },
      alerts: alerts as Message["alerts"],
    });
  });

/** Returns the links, addresses and mentions that a client would detect in plain text. */
export function clickables(text: string): string[] {
  const found = text.match(
    /[a-z][a-z0-9+.-]*:\/\/\S+|\b(?:tel|sms|mailto):[^\s\u2060]+|(?<![\p{L}\p{N}_])[@＠][\p{L}\p{N}_]+|[\p{L}\p{N}._+-]+[@＠][\p{L}\p{N}-]+|[\p{L}\p{N}-]+[.。．｡․﹒]\p{L}{2,}/giu,
  );
  return found ?? [];
}

/** Returns the control, direction-changing and invisible characters in a text, except the word joiner that we insert. */
export function unsafeCharacters(text: string): string[] {
  const own = text.replaceAll("\u2060", "");
  return [
    ...(own.match(/[\p{Cc}\p{Cf}\u2028\u2029]/gu) ?? []),
    ...(own.isWellFormed() ? [] : ["lone surrogate"]),
  ];
}

export function isOwn(url: string): boolean {
  return Object.values(ownLinks).includes(url);
}
