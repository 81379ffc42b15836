import { expect, test } from "vitest";
import { systemRandom } from "../random.ts";
import { makeVault, VaultError } from "./vault.ts";

const key = Buffer.alloc(32, 7);
const vault = makeVault(key, systemRandom);

test("the vault opens what it sealed: text and bytes, empty and long", () => {
  for (const plain of ["", "xoxb-secret", "пароль 🔑", Buffer.alloc(100_000, 1)]) {
    expect(vault.open(vault.seal(plain, "org:channel:token"), "org:channel:token")).toEqual(
      Buffer.from(plain),
    );
  }
});

test("the vault seals the same text differently each time", () => {
  const sealed = Array.from({ length: 50 }, () => vault.seal("xoxb-secret", "a").toString("latin1"));
  expect(new Set(sealed).size).toBe(50);
  for (const one of sealed) expect(one).not.toContain("xoxb");
});

test("a secret does not open in another context", () => {
  const sealed = vault.seal("secret", "org-a:channel:token");
  expect(() => vault.open(sealed, "org-b:channel:token")).toThrow(VaultError);
  expect(() => vault.open(sealed, "")).toThrow("This secret is damaged or belongs to something else.");
});

test("a secret does not open with another key, and the error says so", () => {
  const other = makeVault(Buffer.alloc(32, 8), systemRandom);
  expect(() => other.open(vault.seal("secret", "a"), "a")).toThrow(
    "This secret was sealed with another key.",
  );
});

test("a secret with a changed bit or a missing byte does not open", () => {
  const sealed = vault.seal("secret", "a");
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const damaged = Buffer.from(sealed);
    damaged.writeUInt8(damaged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(() => vault.open(damaged, "a")).toThrow(VaultError);
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => vault.open(sealed.subarray(0, length), "a")).toThrow(VaultError);
  }
});

test("a secret of another format version is reported as such", () => {
  const sealed = vault.seal("secret", "a");
  sealed[0] = 2;
  expect(() => vault.open(sealed, "a")).toThrow("another version");
});

test("the vault rejects a key of another length", () => {
  expect(() => makeVault(Buffer.alloc(16), systemRandom)).toThrow(VaultError);
});

test("the vault takes its nonce from the injected randomness", () => {
  const fixed = makeVault(key, { bytes: (count) => Buffer.alloc(count, 3) });
  expect(fixed.seal("secret", "a")).toEqual(fixed.seal("secret", "a"));
  expect(vault.open(fixed.seal("secret", "a"), "a").toString()).toBe("secret");
});
