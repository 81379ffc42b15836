import { expect, test } from "vitest";
import { restOfMessage } from "./event-text.ts";

test("a message is shown without the title that it repeats", () => {
  expect(restOfMessage({ title: "Vault: 2 events", message: "Vault: 2 events. The rule fires at 2." })).toBe(
    "The rule fires at 2.",
  );
  expect(restOfMessage({ title: "Vault: 2 events", message: "Look at the vault." })).toBe(
    "Look at the vault.",
  );
  expect(restOfMessage({ title: "Vault", message: "Vault" })).toBe("");
});
