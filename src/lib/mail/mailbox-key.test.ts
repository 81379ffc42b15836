import { expect, test } from "vitest";
import { mailboxKey } from "./mailbox-key.ts";

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["ada+one@example.com", "ada@example.com"],
  ["ada+one+two@example.com", "ada@example.com"],
  ["a.da@example.com", "a.da@example.com"],
  ["a.d.a+x@GMail.com", "ada@gmail.com"],
  ["+ada@example.com", "+ada@example.com"],
])("the mailbox of %s is %s", (email, mailbox) => {
  expect(mailboxKey(email)).toBe(mailbox);
});
