import { dictionary } from "@zxcvbn-ts/language-common";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isLongRun } from "../../../test/support/run-size.ts";
import { passwordProblem } from "./password-rule.ts";

const tooEasy = /easy to guess|same few characters/;

test("a password has 12 to 128 characters, not bytes", () => {
  expect(passwordProblem("k7#mQ2vX9!z")).toBe("Use at least 12 characters.");
  expect(passwordProblem("k7#mQ2vX9!zp")).toBeUndefined();
  expect(passwordProblem("🐎🔋📎🌙🔥🌊🍋🎻🧭🪁🐙")).toBe("Use at least 12 characters.");
  expect(passwordProblem("🐎🔋📎🌙🔥🌊🍋🎻🧭🪁🐙🦉")).toBeUndefined();
  const long = fc.sample(fc.string({ minLength: 129, maxLength: 129, unit: "grapheme-ascii" }), {
    numRuns: 1,
    seed: 1,
  });
  expect(passwordProblem(long.join(""))).toBe("Use at most 128 characters.");
  expect(passwordProblem(long.join("").slice(0, 128))).toBeUndefined();
  expect(passwordProblem("")).toBe("Use at least 12 characters.");
});

test("the length of a password is that of its normal form", () => {
  expect(passwordProblem("k7mQ2vX9z\ufb03")).toBeUndefined();
  expect(passwordProblem("e\u0301".repeat(6))).toBe("Use at least 12 characters.");
});

test.each(
  [
    [
      "password1234",
      "PASSWORD1234",
      "Password2024!",
      "123password123",
      "P@ssw0rd1234",
      "p4$$w0rd!!!!",
      "!!!letmein!!!",
    ],
    [
      "password5839",
      "passwordpassword",
      "Password123456789",
      "iloveyou2024!",
      "Welcome2024!!",
      "Summer2024!!!",
    ],
    [
      "Admin@123456",
      "@dministr@t0r",
      "qwerty123456!",
      "dragonmonkey1",
      "letmein!letmein!",
      "p-a-s-s-w-o-r-d-1",
    ],
    [
      "\uff50\uff41\uff53\uff53\uff57\uff4f\uff52\uff441234",
      "      password      ",
      "1q2w3e4r5t6y",
      "zaq12wsxcde3",
    ],
    [
      "aaaaaaaaaaaa",
      "abcabcabcabc",
      "abababababab",
      "aabbaabbabab",
      "xyzxyzxyzxyzx",
      "            ",
      "🔥".repeat(12),
    ],
    [
      "123456789012",
      "qwertyuiopas",
      "abcdefghijkl",
      "lkjihgfedcba",
      "098765432109",
      "azertyuiopqs",
      "abc123def456",
    ],
  ].flat(),
)("refuses %j", (password) => {
  expect(passwordProblem(password)).toMatch(tooEasy);
});

test.each([
  ["alice@example.com", "alice@example.com"],
  ["Alice@Example.com1", "alice@example.com"],
  ["alicesmith12345", "alice.smith@example.com"],
  ["smith.alice.example", "alice.smith@example.com"],
])("the password %j is rejected because of %s", (password, email) => {
  expect(passwordProblem(password, { email })).toBe("Choose a password that is not your e-mail address.");
});

test.each([
  "correct horse battery staple",
  "correcthorsebatterystaple",
  "aB3$kq9Zx!2m",
  "bcdf ghjk lmnp qrst",
  "трубач везёт арбуз",
  "fe80a91c77d04b3e",
])("the password %j is accepted", (password) => {
  expect(passwordProblem(password, { email: "horse@example.com" })).toBeUndefined();
});

test("four random words are accepted with any separator", () => {
  const word = fc.constantFrom(...dictionary["diceware-common"]);
  const words = fc.uniqueArray(word, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(words, fc.constantFrom(" ", "-", ".", "4"), (four, joint) => {
      const password = four.join(joint);
      fc.pre(password.length >= 15);
      expect(passwordProblem(password)).toBeUndefined();
    }),
    { numRuns: isLongRun ? 500 : 100 },
  );
});

test("the password rule accepts or rejects any text without throwing", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 140 }), fc.emailAddress(), (password, email) => {
      expect(passwordProblem(password, { email }) ?? "").toBeTypeOf("string");
    }),
    { numRuns: isLongRun ? 300 : 60 },
  );
});
