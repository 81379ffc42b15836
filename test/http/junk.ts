/** A seeded random generator. */
export type Dice = {
  chance(share: number): boolean;
  below(count: number): number;
  pick<Value>(values: readonly Value[]): Value;
};

export function makeDice(seed: number): Dice {
  let state = seed >>> 0;
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    chance: (share) => next() < share,
    below,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
  };
}

const long = "a".repeat(100_000);

export const oddTexts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\u2028",
  "\r\nSet-Cookie: a=b",
  "\u202Egnp.exe",
  "\uFEFFx",
  "\u{1F469}\u200D\u{1F680}".repeat(50),
  "e\u0301".repeat(200),
  "ﷺ".repeat(300),
  "' or '1'='1' --",
  "$1; drop table users",
  "{{7*7}}<script>",
  "../../etc/passwd",
  "%00%0d%0a",
  "__proto__",
  "constructor",
  "null",
  "true",
  "NaN",
  "-0",
  "1e999",
  "0x10",
  "9223372036854775808",
  "٣",
  "2026-02-30T25:61:61Z",
  "9999999-01-01T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "a@b.co",
  `${"a".repeat(250)}@b.co`,
  "https://[::1",
  "javascript:alert(1)",
  long,
] as const;

/** JSON values of every type, including edge cases. */
export const oddValues: readonly unknown[] = [
  ...oddTexts,
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e21,
  2 ** 53,
  -(2 ** 63),
  Number.MAX_VALUE,
  [],
  {},
  [[]],
  [null],
  { a: { b: { c: [1, { d: null }] } } },
  Array.from({ length: 1_000 }, (_, index) => index),
  Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, index])),
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  JSON.parse('{"constructor":{"prototype":{"isAdmin":true}}}'),
];

/** Request bodies that are malformed or extreme. */
export const oddBodies: readonly (string | Buffer)[] = [
  "",
  " ",
  "{",
  "nul",
  "{}{}",
  "[",
  '"',
  "\u0000",
  '{"a":1e999}',
  '{"a":-0}',
  '{"a":1,"a":2}',
  '{"email":1e400}',
  `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
  '{"a":'.repeat(50_000),
  `{"a":"${long}"}`,
  '{"a":"\\ud800"}',
  '{"\\u0000":1}',
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x7d]),
  Buffer.from("1f8b0800000000000003abae050043bfa6a302000000", "hex"),
];

export const oddTypes = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "application/json; charset=utf-16",
  "application/json;;;",
  "application/problem+json",
  "*/*",
  "",
  "\u00ff",
] as const;

export const oddHeaders: readonly Record<string, string>[] = [
  { authorization: "Bearer" },
  { authorization: "Bearer tocsin_x" },
  { authorization: "Basic YTpi" },
  { authorization: "" },
  { cookie: "access_token" },
  { cookie: "access_token=%00; access_token=b" },
  { cookie: "access_token=%zz;;;=;admin_token=" },
  { cookie: `access_token=${"a".repeat(5_000)}` },
  { cookie: "__proto__=1; constructor=2" },
  { origin: "null" },
  { origin: "https://evil.test" },
  { origin: "http://[" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-origin" },
  { "idempotency-key": "a" },
  { "idempotency-key": "" },
  { "idempotency-key": "\u00e9" },
  { "idempotency-key": "a".repeat(5_000) },
  { "content-encoding": "gzip" },
  { "x-forwarded-for": "1.2.3.4, \u00ff" },
  { "x-http-method-override": "DELETE" },
  { accept: "application/xml" },
  { host: "" },
  { host: "evil.test:99999" },
  { expect: "nothing" },
  { range: "bytes=0-1" },
];
