import { describe, expect, test } from "vitest";
import { bareReply, defaultVerdict, parseReply, wait } from "./provider-reply.ts";
import { scrub, secretsInUrl } from "./scrub.ts";

const now = new Date("2026-11-15T03:00:00Z");

function answer(body: string | Buffer, headers: Record<string, string> = {}) {
  return parseReply({ status: 200, headers, body: Buffer.from(body), truncated: false, latencyMs: 1 }, now);
}

test.each([
  ["30", 30],
  ["0", 0],
  ["0.2", 1],
  ["99999999999999999999", 86_400],
  ["Sun, 15 Nov 2026 03:01:30 GMT", 90],
  ["Sun, 15 Nov 2026 02:00:00 GMT", 0],
  ["soon", undefined],
  ["-5", undefined],
  ["", undefined],
  ["1e9", undefined],
  ["2027", 2027],
])("Retry-After %j asks to wait %j seconds", (header, expected) => {
  expect(answer("", { "retry-after": header }).afterSeconds).toBe(expected);
});

test("a wait in a body counts only when it is a sensible number", () => {
  expect([0.3, 5, 1e300].map(wait)).toEqual([1, 5, 86_400]);
  for (const odd of [-1, Number.NaN, "5", null, undefined, {}]) expect(wait(odd)).toBeUndefined();
});

test.each(["", "ok", "null", "[1,2", "{", '"text"', "<html>", "\u0000\ufffd"])(
  "an answer of %j has no JSON object, and breaks nothing",
  (text) => {
    expect(answer(text)).toMatchObject({ text, json: {} });
  },
);

describe("where a provider has no words of its own", () => {
  test.each([
    [200, "sent"],
    [202, "sent"],
    [204, "sent"],
    [301, "retry"],
    [307, "retry"],
    [400, "failed"],
    [404, "failed"],
    [408, "retry"],
    [425, "retry"],
    [429, "retry"],
    [500, "retry"],
    [503, "retry"],
  ])("%i means %s", (status, result) => {
    expect(defaultVerdict(bareReply(status), "It")).toMatchObject({ result });
  });

  test("the wait it asks for is kept, and its words are one short line", () => {
    const busy = { ...bareReply(503), afterSeconds: 7 };
    expect(defaultVerdict(busy, "It", `busy\r\n${"x".repeat(500)}`)).toEqual({
      result: "retry",
      reason: `It answered 503: busy ${"x".repeat(194)}….`,
      afterSeconds: 7,
    });
  });
});

describe("a secret", () => {
  const url = "https://hooks.example.com/services/T0000001/B0000001/abcDEF123456?sig=q%2Fw%2Be-rty";

  test("in a URL is found whole and in its parts", () => {
    const said = `no ${url}, /services/T0000001/B0000001/abcDEF123456, abcDEF123456, q/w+e-rty or q%2Fw%2Be-rty here`;
    const clean = scrub(said, secretsInUrl(url));
    expect(clean).toBe("no •••, •••, •••, ••• or ••• here");
  });

  test("leaves plain words of the path and the host alone", () => {
    expect(scrub("hooks.example.com offers services", secretsInUrl(url))).toBe(
      "hooks.example.com offers services",
    );
  });

  test("that is too short to be one tears no holes", () => {
    expect(scrub("a b c", ["a", "", "b"])).toBe("a b c");
  });
});
