import { expect, it } from "vitest";
import { revertReason } from "./revert-reason.ts";

const text = (length: number) =>
  `0x08c379a0${"20".padStart(64, "0")}${length.toString(16).padStart(64, "0")}${"61".repeat(length)}`;

it.each([
  [text(3), "", "The call reverted: aaa"],
  [text(500), "", `The call reverted: ${"a".repeat(200)}`],
  [`0x4e487b71${"11".padStart(64, "0")}`, "", "The call reverted: panic 0x11"],
  ["0x12345678", "", "The call reverted: custom error 0x12345678"],
  [`Reverted ${text(1)}`, "", "The call reverted: a"],
  [{ data: text(2) }, "", "The call reverted: aa"],
  ["0x08c379a0ffff", "", "The call reverted."],
  [undefined, "execution reverted: a\u0000\nb\u202ec", "The call reverted: a b c"],
  [undefined, "err: out of gas at https://node.example/v1/key", "The call reverted: out of gas"],
  [undefined, "VM Exception at https://node.example/v1/key", "The call reverted."],
  [undefined, "", "The call reverted."],
])("the data %j with the message %j is described as %j", (data, message, reason) => {
  expect(revertReason(data, message)).toBe(reason);
});
