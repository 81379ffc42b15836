import { describe, expect, test } from "vitest";
import { bareReply, defaultVerdict, parseReply, parseWait } from "./provider-reply.ts";
import { scrub, secretsInUrl } from "./scrub.ts";

const now = new Date("2026-11-15T03:00:00Z");

function reply(body: string | Buffer, headers: Record<string, string> = {}) {
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
])("Retry-After %j means a wait of %j seconds", (header, expected) => {
  expect(reply("", { "retry-after": header }).afterSeconds).toBe(expected);
});

test("a wait in a body counts only when it is a valid number", () => {
  expect([0.3, 5, 1e300].map(parseWait)).toEqual([1, 5, 86_400]);
  for (const odd of [-1, Number.NaN, "5", null, undefined, {}]) expect(parseWait(odd)).toBeUndefined();
});

test.each(["", "ok", "null", "[1,2", "{", '"text"', "<html>", "\u0000\ufffd"])(
  "a reply of %j has an empty JSON object",
  (text) => {
    expect(reply(text)).toMatchObject({ text, json: {} });
  },
);

describe("the default verdict", () => {
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
  ])("for status %i is %s", (status, result) => {
    expect(defaultVerdict(bareReply(status), "It")).toMatchObject({ result });
  });

  test("keeps the wait of the reply and shortens its details to one line", () => {
    const busy = { ...bareReply(503), afterSeconds: 7 };
    expect(defaultVerdict(busy, "It", `busy\r\n${"x".repeat(500)}`)).toEqual({
      result: "retry",
      reason: `It replied with 503: busy ${"x".repeat(194)}….`,
      afterSeconds: 7,
    });
  });
});

describe("scrub", () => {
  const url = "https://hooks.example.com/services/T0000001/B0000001/abcDEF123456?sig=q%2Fw%2Be-rty";

  test("removes a secret URL as a whole and its parts", () => {
    const text = `no ${url}, /services/T0000001/B0000001/abcDEF123456, abcDEF123456, q/w+e-rty or q%2Fw%2Be-rty here`;
    const clean = scrub(text, secretsInUrl(url));
    expect(clean).toBe("no •••, •••, •••, ••• or ••• here");
  });

  test("leaves plain words of the path and the host", () => {
    expect(scrub("hooks.example.com offers services", secretsInUrl(url))).toBe(
      "hooks.example.com offers services",
    );
  });

  test("ignores secrets that are too short", () => {
    expect(scrub("a b c", ["a", "", "b"])).toBe("a b c");
  });
});
